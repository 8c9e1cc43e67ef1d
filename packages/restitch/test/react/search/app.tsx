/** The documented search, in the forms and below the boundaries that the page's address names. */
import { Suspense, useDeferredValue, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { RestEndpoint } from 'restitch';
import {
  AsyncBoundary,
  DataProvider,
  useCancelling,
  useDebounce,
  useSuspense,
} from 'restitch/react';

const search = new RestEndpoint({
  urlPrefix: '/api',
  path: '/search',
  searchParams: {} as { q: string },
  process: (value: { title: string }[]) => value,
});

interface Query {
  readonly q: string;
}

function List({ find, q }: Query & { readonly find: typeof search }) {
  const found = useSuspense(find, { q });
  return found.map(({ title }) => <li key={title}>{title}</li>);
}

function Results({ q }: Query) {
  const found = useSuspense(useCancelling(search), { q });
  return found.map(({ title }) => <li key={title}>{title}</li>);
}

const [form, boundary, follows] = location.pathname.slice(1).split('/');
const Boundary = boundary === 'async' ? AsyncBoundary : Suspense;

function Search() {
  const [text, setText] = useState('');
  const [rested, isPending] = useDebounce(text, 200);
  const deferred = useDeferredValue(text);
  const q = follows === 'deferred' ? deferred : rested;
  // The component with the input cancels.
  const find = useCancelling(search);
  return (
    <>
      <input value={text} onChange={(event) => setText(event.target.value)} aria-busy={isPending} />
      <Boundary fallback="waiting">
        {q && (form === 'owner' ? <List find={find} q={q} /> : <Results q={q} />)}
      </Boundary>
    </>
  );
}

createRoot(document.body.appendChild(document.createElement('main'))).render(
  <DataProvider>
    <Search />
  </DataProvider>,
);
