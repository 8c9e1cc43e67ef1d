import { warnMisspelled } from '../errors/misspelled.js';

type Owner = 'DevToolsManager' | 'LogoutManager' | 'RecoveryManager' | 'StreamManager';

const OPTIONS: Readonly<Record<Owner, readonly string[]>> = {
  DevToolsManager: ['extension', 'name', 'skip'],
  LogoutManager: ['handleLogout', 'shouldLogout'],
  RecoveryManager: ['refetchOnFocus', 'retry'],
  StreamManager: ['EventSource', 'WebSocket', 'events', 'onMessage', 'url'],
};

/** Call this function only in development: see `misspelled.ts`. */
export function warnOptions(owner: Owner, given: object): void {
  warnMisspelled(owner, Object.keys(given), OPTIONS[owner]);
}
