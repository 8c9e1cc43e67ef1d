import { createRoot } from 'react-dom/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { afterChange } from './afterChange.js';
import { createClient } from './client.js';
import { Screens } from './Screens.js';
import { onResponse } from './steps.js';

/**
 * Runs a real cache by URL along with the page: TanStack Query, with the same screens in an element that is never shown. It sends its own
 * requests and renders its own rows. Returns a function that ends it.
 */
export function start(): () => void {
  const client = createClient();
  const root = createRoot(document.createElement('div'));
  root.render(
    <QueryClientProvider client={client}>
      <Screens />
    </QueryClientProvider>,
  );
  const stop = onResponse((response) => afterChange(client, response));
  return () => {
    stop();
    root.unmount();
    client.clear();
  };
}
