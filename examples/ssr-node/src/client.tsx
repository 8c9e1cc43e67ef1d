import { hydrateRoot } from 'react-dom/client';
import { DataProvider } from 'restitch/react';
import { hydrateController } from 'restitch/ssr';
import { App } from './App.js';

// Hydrated from the page so far, and subscribed to the rest of it.
const controller = hydrateController();

hydrateRoot(
  document,
  <DataProvider controller={controller}>
    <App />
  </DataProvider>,
  { onRecoverableError: (error) => console.error(error) },
);
