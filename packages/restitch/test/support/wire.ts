/** A controller whose requests get their responses by hand, in whatever order a race needs. */
import {
  Collection,
  Controller,
  Endpoint,
  Entity,
  Invalidate,
  type EndpointInterface,
  type ReadEndpoint,
  type Snapshot,
} from 'restitch';

export class User extends Entity {
  id = '';
  name = '';
  friend: User | undefined = undefined;

  static override key = 'User';
  static override schema: Record<string, unknown> = { friend: User };
}

export class Issue extends Entity {
  id = '';
  title = '';
  status = '';
  x = 0;
  y = 0;
  author: User | undefined = undefined;

  static override key = 'Issue';
  static override schema: Record<string, unknown> = { author: User };
}

export const issues: Collection<[typeof Issue]> = new Collection([Issue], { name: 'issues' });

type Fields = Readonly<Record<string, unknown>>;
type Prediction = Fields | ((snapshot: Snapshot) => Fields);

/** A request in flight. Each method ends it and waits until the controller has taken the outcome in. */
export interface Flight {
  respond(value: unknown): Promise<void>;
  fail(): Promise<void>;
  abort(): Promise<void>;
}

interface Ends {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class Wire {
  /** Its clock stands still: everything here happens in the same millisecond. */
  readonly controller: Controller = new Controller({ environment: { now: () => 1_000_000 } });
  readonly getIssue: ReadEndpoint<[{ id: string }], unknown>;
  readonly getList: ReadEndpoint<[{ status?: string }], unknown>;
  #ends: Ends | undefined;
  #count = 0;

  constructor() {
    this.getIssue = new Endpoint(({ id: _ }: { id: string }) => this.#serve(), {
      name: 'getIssue',
      schema: Issue,
    });
    this.getList = new Endpoint((_: { status?: string }) => this.#serve(), {
      name: 'getList',
      schema: issues,
    });
  }

  /** A read of one row with the endpoint's ordinary key: its response is a result that readers of `getIssue` see. */
  readResult(id: string): Flight {
    return this.start(this.getIssue, { id });
  }

  /** A poll of one row. Each has its own key, so that several can be in flight. */
  poll(id: string): Flight {
    return this.start(this.#own('poll', { schema: Issue }), { id });
  }

  /** A poll of one list. */
  pollList(args: { status?: string } = {}): Flight {
    return this.start(this.#own('pollList', { schema: issues }), args);
  }

  /** PATCH of one issue, optimistic when it has an optimistic update. */
  patch(id: string, optimistic?: Prediction): Flight {
    return this.start(
      this.#own('patch', { sideEffect: true, schema: Issue, ...optimistically(optimistic) }),
      {
        id,
      },
    );
  }

  /** POST of an issue; `optimistic` shows the body at once, under a temporary primary key unless the body has one. */
  create(body: Fields, optimistic = true, at: 'push' | 'unshift' = 'push'): Flight {
    return this.start(
      this.#own('create', {
        sideEffect: true,
        schema: issues[at],
        ...optimistically(optimistic ? body : undefined),
      }),
      body,
    );
  }

  /** DELETE of an issue. */
  remove(id: string, optimistic = false): Flight {
    return this.start(
      this.#own('delete', {
        sideEffect: true,
        schema: new Invalidate(Issue),
        ...optimistically(optimistic ? { id } : undefined),
      }),
      { id },
    );
  }

  /** DELETE of a user. */
  removeUser(id: string, optimistic = false): Flight {
    const update = optimistically(optimistic ? { id } : undefined);
    return this.start(
      this.#own('deleteUser', { sideEffect: true, schema: new Invalidate(User), ...update }),
      { id },
    );
  }

  /** What the list holds now, by title, or undefined where it is not known. */
  titles(args: { status?: string } = {}): readonly string[] | undefined {
    return this.controller.get(issues, args)?.map((issue) => issue.title);
  }

  issue(id: string): Issue | undefined {
    return this.controller.get(Issue, { id });
  }

  /** Starts a call and returns how to end it. */
  start(endpoint: EndpointInterface<any, unknown>, args: Fields): Flight {
    this.#ends = undefined;
    const outcome: Promise<unknown> = this.controller.fetch(endpoint, args).catch(() => undefined);
    const ends = this.#ends as Ends | undefined;
    if (ends === undefined) throw new Error('the request did not start');
    const settled = async (): Promise<void> => {
      await outcome;
      for (let turn = 0; turn < 3; turn++) await Promise.resolve();
    };
    return {
      respond: (value) => (ends.resolve(value), settled()),
      fail: () => (ends.reject(new Error('the server failed')), settled()),
      abort: () => (ends.reject(new DOMException('aborted', 'AbortError')), settled()),
    };
  }

  #own(name: string, options: Fields): EndpointInterface<any, unknown> {
    const key = `${name} #${++this.#count}`;
    return new Endpoint((_: Fields) => this.#serve(), { name, key: () => key, ...options });
  }

  #serve(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#ends = { resolve, reject };
    });
  }
}

function optimistically(optimistic: Prediction | undefined): {
  getOptimisticResponse?: (snapshot: Snapshot) => unknown;
} {
  if (optimistic === undefined) return {};
  return {
    getOptimisticResponse: (snapshot) =>
      typeof optimistic === 'function' ? optimistic(snapshot) : { ...optimistic },
  };
}
