import { hydrateRoot } from 'react-dom/client';
import { DataProvider } from 'restitch/react';
import { hydrateController } from 'restitch/ssr';
import { App } from './App.js';

// Filled with what the page has brought so far, and listening for the rest of it.
const controller = hydrateController();

hydrateRoot(
  document,
  <DataProvider controller={controller}>
    <App />
  </DataProvider>,
  { onRecoverableError: (error) => console.error(error) },
);
