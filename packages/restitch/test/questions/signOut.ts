/** The end of a session: the next user asks the same questions, and the server holds other data. */
import { Fault } from './fault.js';
import { isRead, settled, type Flight } from './flights.js';
import type { SignOut } from './program.js';
import type { World } from './world.js';

export async function signOut(world: World, how: SignOut): Promise<void> {
  const { flights } = world.server;
  world.note(how === 'reset' ? 'the next user signs in' : 'the user signs out');
  endSession(world, how === 'logout');
  world.kit.signOut(world.controller, how);
  await settled();
  if (how === 'logout' && flights.pending.some(({ start }) => start > flights.endedAt))
    throw new Fault('asks-signed-out', 'a reader asks after the sign-out');
}

/** From now on nothing that was said before explains what is shown. */
export function endSession(world: World, isPaused: boolean): void {
  const { server, readers, started } = world;
  server.changeUser();
  server.flights.endedAt = ++server.flights.tick;
  world.oracle.forget();
  const asked = [...readers.map(({ question }) => question), ...server.flights.pending];
  const waiting = asked.map(({ wire, variant }) => `${wire}|${variant}`);
  world.paused = isPaused ? new Set([...waiting, ...(world.paused ?? [])]) : undefined;
  started.clear();
  world.heard();
  for (const reader of readers) reader.barren = 0;
}

/** The response to a request of the last session, which the library ended: nothing may show it. */
export async function respondLate(world: World, flight: Flight): Promise<void> {
  const { flights } = world.server;
  flights.end(flight);
  world.note(`${flight.wire} gets the response for the last user`);
  const row = { id: '1', title: 'last@0', group: 'x' };
  flight.resolve(isRead(flight) ? flight.early?.value : row);
  await settled();
}
