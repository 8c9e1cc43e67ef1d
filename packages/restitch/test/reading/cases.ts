/** Responses that their readers cannot read, each with what the error has to say about it. */
import { Controller, Endpoint, Entity, Invalidate, type Schema, type View } from 'restitch';

/** A question whose every response is unreadable. */
export interface UnreadableCase {
  readonly name: string;
  readonly open: () => Question;
  /** What the message of the error says. */
  readonly reason: RegExp;
}

export interface Question extends Responses {
  readonly controller: Controller;
}

// The return type is what the class infers from its options; naming it would repeat them.
type Responses = ReturnType<typeof responding>;

/** After so many requests the test responds to nothing any more: a reader that fetches in a loop then stops. */
const LIMIT = 20;
let names = 0;

/** An endpoint that responds to each request by itself. */
export function responding<S extends Schema, O extends object>(
  schema: S,
  respond: (params: { id: string }) => unknown,
  options: O = {} as O,
) {
  let count = 0;
  const endpoint = new Endpoint(
    async (params: { id: string }): Promise<any> => {
      count += 1;
      return count > LIMIT ? new Promise(() => {}) : respond(params);
    },
    { ...options, name: `responding${(names += 1)}`, schema },
  );
  return { endpoint, requests: () => count };
}

/** Follows a view as bindings do: fetches what a reader that mounts, and one that is mounted, has to fetch. */
export function follow(view: View<unknown>): () => void {
  const fetchIfNeeded = (isMounted: boolean): void => {
    if (view.needsLoad(isMounted)) void view.load();
  };
  const stop = view.subscribe(() => fetchIfNeeded(true));
  fetchIfNeeded(false);
  return stop;
}

/** A question about the record '1', in a store that `prepare` has written to. */
function ask(
  schema: Schema,
  response: unknown,
  prepare: (controller: Controller) => void = () => {},
): Question {
  const controller = new Controller();
  prepare(controller);
  return { controller, ...responding(schema, () => response) };
}

class Summary extends Entity {
  id = '';
  title = '';
  static override key = 'Article';
}

/** Refuses some of what the class above stores under their key. */
class Guarded extends Entity {
  id = '';
  title = '';
  static override key = 'Article';
  static override validate(value: Readonly<Record<string, unknown>>): string | undefined {
    return value['isLocked'] ? 'it is locked' : undefined;
  }
}

class Keeping extends Guarded {
  body = '';
  static override shouldUpdate(): boolean {
    return false;
  }
}

class Gone extends Entity {
  static override key = 'Gone';
  id = '';
  static override process(input: { isDeleted?: boolean }): unknown {
    return input.isDeleted ? undefined : input;
  }
}

class Refused extends Entity {
  static override key = 'Refused';
  id = '';
  static override createIfValid(): undefined {
    return undefined;
  }
}

class Author extends Entity {
  static override key = 'Author';
  id = '';
}

class Book extends Entity {
  static override key = 'Book';
  id = '';
  author: Author = Author.fromJS({ id: 'nobody' });
  static override schema = { author: Author };
}

const deleteAuthor = new Endpoint(async ({ id }: { id: string }) => ({ id }), {
  name: 'deleteAuthor',
  schema: new Invalidate(Author),
  sideEffect: true as const,
});

const whole = { id: '1', title: 'new', body: 'text' };

const locked = (controller: Controller): void =>
  controller.set(Summary, { id: '1' }, { title: 'old', isLocked: true });

export const unreadableCases: readonly UnreadableCase[] = [
  {
    name: '`process` gives nothing',
    open: () => ask(Gone, { id: '1', isDeleted: true }),
    reason: /`process`/,
  },
  {
    name: '`process` gives nothing for a record without a key',
    open: () => ask(Gone, { isDeleted: true }),
    reason: /`process`/,
  },
  {
    name: '`validate` refuses the stored record',
    open: () => ask(Guarded, { id: '1', title: 'new' }, locked),
    reason: /it is locked/,
  },
  {
    name: '`shouldUpdate` keeps a record that `validate` refuses',
    open: () => ask(Keeping, whole, locked),
    reason: /it is locked/,
  },
  {
    name: '`shouldUpdate` keeps an older record with fewer fields',
    open: () =>
      ask(Keeping, whole, (controller) => controller.set(Summary, { id: '1' }, { title: 'old' })),
    reason: /`shouldUpdate`.*Article.body/,
  },
  {
    name: '`createIfValid` gives nothing',
    open: () => ask(Refused, { id: '1' }),
    reason: /`createIfValid`/,
  },
  {
    name: 'a record that it requires is deleted',
    open: () =>
      ask(Book, { id: '1', author: 'a' }, (controller) =>
        controller.setResponse(deleteAuthor, { id: 'a' }, { id: 'a' }),
      ),
    reason: /requires/,
  },
  {
    name: 'its schema only says what was deleted',
    open: () => ask(new Invalidate(Author), { id: '1' }),
    reason: /deleted/,
  },
];
