import { useController, useSuspense } from 'restitch/react';
import { getProfile, Notes } from '../api/notes.js';
import { leave } from '../api/signIn.js';
import { CreateNote } from './CreateNote.js';
import { NoteRow } from './NoteRow.js';
import { useAction } from './useAction.js';

/** Everything that one user sees. */
export function Shelf({ user }: { user: string }) {
  const controller = useController();
  const [run, problem] = useAction();
  const { fullName } = useSuspense(getProfile, { name: user });
  const { results, total } = useSuspense(Notes.getList);

  const reload = (): Promise<unknown> =>
    Promise.all([
      controller.fetch(Notes.getList),
      controller.fetch(getProfile, { name: user }),
      ...results.map(({ id }) => controller.fetch(Notes.get, { id })),
    ]);

  return (
    <>
      <h1>Notes of {fullName}</h1>
      <p>
        {total} on the server <button onClick={() => run(reload)}>Reload all</button>{' '}
        <button onClick={() => run(() => leave())}>Sign out</button>
      </p>
      {problem && <p role="alert">{problem}</p>}
      <CreateNote />
      <ul>
        {results.map((note) => (
          <NoteRow key={note.id} note={note} />
        ))}
      </ul>
    </>
  );
}
