import { hydrateRoot } from 'react-dom/client';
import { Controller } from 'restitch';
import { DataProvider } from 'restitch/react';
import { hydrateController } from 'restitch/ssr';
import { User } from './api.js';
import { App, renders } from './App.js';

/** What tests look at. */
export interface Client {
  readonly controller: Controller;
  readonly renders: typeof renders;
  readonly errors: string[];
  /** As a websocket would do it. */
  rename(name: string): void;
}

const controller = hydrateController();
const errors: string[] = [];
const client: Client = {
  controller,
  renders,
  errors,
  rename: (name) => controller.set(User, { id: 'a' }, { name }),
};
Object.assign(globalThis, { client });

// Something changes before anything was taken over.
const early = new URLSearchParams(location.search).get('early');
if (early) client.rename(early);

hydrateRoot(
  document,
  <DataProvider controller={controller}>
    <App />
  </DataProvider>,
  { onRecoverableError: (error) => errors.push(String(error)) },
);
