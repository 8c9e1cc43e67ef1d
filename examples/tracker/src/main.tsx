import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Controller, RecoveryManager } from 'restitch';
import { DataProvider } from 'restitch/react';
import { App } from './App.js';
import { getChanges } from './api/changes.js';
import { noteFailure, noteSuccess } from './api/failures.js';
import { runComparison } from './compare/run.js';
import { LabelResource, ProjectResource, UserResource } from './api/resources.js';
import './styles/base.css';
import './styles/layout.css';
import './styles/live.css';
import './styles/list.css';
import './styles/detail.css';
import './styles/meter.css';
import './styles/pending.css';
import './styles/toasts.css';

const controller: Controller = new Controller({
  // Reads wait while there is no network, are sent again when they failed, and are refreshed when somebody comes back.
  managers: [new RecoveryManager()],
  onError: noteFailure(() => controller),
  onSuccess: noteSuccess,
});

// The changes of others are listed from now on, so this comes first.
controller.fetchIfStale(getChanges).catch(() => undefined);

// Every screen needs these. Fetching before React starts lets all requests run in parallel.
for (const endpoint of [UserResource.getList, ProjectResource.getList, LabelResource.getList]) {
  // The boundary around the reader shows a failure.
  controller.fetchIfStale(endpoint).catch(() => undefined);
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
runComparison(true);
createRoot(root).render(
  <StrictMode>
    <DataProvider controller={controller}>
      <App />
    </DataProvider>
  </StrictMode>,
);
