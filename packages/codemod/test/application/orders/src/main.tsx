import { useState, type FormEvent } from 'react';
import { createRoot } from 'react-dom/client';
import { useOrders } from './hooks/useOrders';
import { uploadInvoice } from './services/orders';
import { signIn } from './services/session';
import { messageOf } from './toast';

function SignIn({ onDone }: { onDone: () => void }) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [toast, setToast] = useState('');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await signIn(name, password);
      onDone();
    } catch (error) {
      setToast(messageOf(error));
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <input aria-label="Name" value={name} onChange={(event) => setName(event.target.value)} />
      <input
        type="password"
        aria-label="Password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <button>Sign in</button>
      <p role="status">{toast}</p>
    </form>
  );
}

function Orders() {
  const [search, setSearch] = useState('');
  const [item, setItem] = useState('');
  const { orders, toast, create, cancel } = useOrders(search);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await create({ item, amount: 2 })) setItem('');
  };
  return (
    <main>
      <input
        aria-label="Search"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <form onSubmit={(event) => void submit(event)}>
        <input aria-label="Item" value={item} onChange={(event) => setItem(event.target.value)} />
        <button>Order</button>
      </form>
      <ul>
        {orders?.map((order) => (
          <li key={order.id}>
            {order.amount} × {order.item}
            <button onClick={() => void cancel(order.id)}>Cancel {order.item}</button>
            <input
              type="file"
              aria-label={`Invoice of ${order.item}`}
              onChange={(event) => {
                const [file] = event.target.files ?? [];
                if (file) void uploadInvoice(order.id, file);
              }}
            />
          </li>
        ))}
      </ul>
      <p role="status">{toast}</p>
    </main>
  );
}

function App() {
  const [isSignedIn, setSignedIn] = useState(localStorage.getItem('token') !== null);
  return isSignedIn ? <Orders /> : <SignIn onDone={() => setSignedIn(true)} />;
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
