import { AsyncBoundary, DataProvider } from 'restitch/react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { account } from './api/account.js';
import { comeBack, controller } from './api/signIn.js';
import { Shelf } from './components/Shelf.js';
import { SignIn } from './components/SignIn.js';

export function App() {
  const user = useSyncExternalStore(account.subscribe, () => account.user);
  const [isKnown, setKnown] = useState(false);
  useEffect(() => {
    comeBack()
      .finally(() => setKnown(true))
      .catch(() => {}); // no sign-in to renew: the form appears
  }, []);
  if (!isKnown) return <p>…</p>;
  if (user === undefined) return <SignIn />;
  return (
    <DataProvider controller={controller}>
      <AsyncBoundary key={user} fallback={<p>Loading…</p>}>
        <Shelf user={user} />
      </AsyncBoundary>
    </DataProvider>
  );
}
