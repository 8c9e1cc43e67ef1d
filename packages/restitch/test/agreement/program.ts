/** A random program: how the client is declared, and what happens. */
import fc from 'fast-check';

/** The body of the response to a mutation: the whole record, its key alone (with what an action changed), or none (204). */
export type Style = 'full' | 'partial' | 'empty';

export interface Change {
  readonly title?: string;
  readonly status?: string;
  readonly tags?: readonly string[];
  readonly owner?: string;
  readonly flag?: boolean;
}

export type Kind = 'list' | 'ticket' | 'user' | 'comments';

/** `pick` chooses among what there is at that time; a negative one counts from the end. */
export type Step =
  | {
      readonly do:
        | 'mount'
        | 'fetch'
        | 'fetchIfStale'
        | 'invalidate'
        | 'invalidateAll'
        | 'expire'
        | 'expireAll';
      readonly kind: Kind;
      readonly pick: number;
    }
  | { readonly do: 'unmount' | 'refetch' | 'delete' | 'vote' | 'flag'; readonly pick: number }
  | { readonly do: 'create'; readonly at: 'start' | 'end'; readonly body: Change }
  | { readonly do: 'patch' | 'put' | 'move'; readonly pick: number; readonly body: Change }
  | { readonly do: 'rename'; readonly pick: number; readonly name: string }
  /** Changes the name of an owner. The request does not contain the new name. */
  | { readonly do: 'praise'; readonly pick: number }
  | { readonly do: 'comment'; readonly pick: number; readonly text: string }
  | { readonly do: 'delete comment'; readonly pick: number }
  /** Flags all tickets of a list. The response contains the whole list. */
  | { readonly do: 'flag all'; readonly pick: number }
  /** Another user changes, deletes or creates a ticket. */
  | { readonly do: 'others change'; readonly pick: number; readonly body: Change }
  | { readonly do: 'others delete'; readonly pick: number }
  | { readonly do: 'others create'; readonly body: Change }
  /** Another user creates or moves a ticket, and a message with the ticket arrives at once. */
  | { readonly do: 'told create'; readonly body: Change }
  | { readonly do: 'told move'; readonly pick: number; readonly body: Change }
  /** `answer` carries the request out, unless that was done, and lets its response arrive. */
  | {
      readonly do: 'carry out' | 'answer';
      readonly pick: number;
      readonly style: Style;
      readonly fails: boolean;
    }
  | { readonly do: 'pass'; readonly milliseconds: number }
  | { readonly do: 'settle' | 'reset' };

export interface Program {
  /** True if the resources are optimistic. */
  readonly optimistic: boolean;
  /** The optimistic functions of actions: none, always, or with updates that they skip (`snapshot.abort`). */
  readonly functions: 'none' | 'all' | 'skipping';
  /** Mutations of one record are sent at once, one after another, or edits that wait are joined. */
  readonly sending: 'at once' | 'serial' | 'coalesced';
  /** When the server carries a mutation out: in the order of the requests, or just before its response arrives. */
  readonly runs: 'as sent' | 'as answered';
  /** True if tickets contain their comments, a list that can also be read alone. */
  readonly hasComments: boolean;
  /** Mounted readers show the owners all the time, or the owners were only loaded at the start. */
  readonly owners: 'mounted' | 'loaded';
  /** True if a mounted reader has all records from the start. */
  readonly isLoaded: boolean;
  /** Milliseconds until a response is stale. */
  readonly expiry: number;
  /** The records at the start. */
  readonly tickets: readonly Change[];
  readonly steps: readonly Step[];
  /** How the requests that are left are answered at the end. */
  readonly last: {
    readonly style: Style;
    readonly picks: readonly number[];
    /** The readers that mount first when all is quiet. The others mount after their responses. */
    readonly first: Kind;
  };
}

const pick = fc.nat(5);
const kind = fc.constantFrom<Kind[]>('list', 'list', 'list', 'ticket', 'user', 'comments');
const style = fc.constantFrom<Style[]>('full', 'partial', 'empty');
const status = fc.constantFrom('open', 'done', '');
const tags = fc.constantFrom<string[][]>([], ['a'], ['b'], ['a', 'b']);
const owner = fc.constantFrom('u1', 'u2');
const title = fc.constantFrom('one', 'two', 'three', 'four');
const whole = fc.record({ title, status, tags, owner });
const sent = fc.oneof(whole, fc.record({ title, status, tags, owner, flag: fc.constant(false) }));
const edit: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ title }),
  fc.record({ owner }),
  fc.record({ flag: fc.boolean() }),
  fc.record({ title, owner }),
);
const move: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ status }),
  fc.record({ tags }),
  fc.record({ status, tags }),
);
const is = <const T extends string>(...names: T[]) => fc.constantFrom(...names);
const weighted = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary });
const answers = fc.record({
  do: is('answer'),
  pick,
  style,
  fails: fc.nat(9).map((one) => one === 9),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  weighted(14, answers),
  weighted(
    3,
    answers.map((one) => ({ ...one, do: 'carry out' as const })),
  ),
  weighted(5, fc.record({ do: is('mount'), kind, pick })),
  weighted(3, fc.record({ do: is('unmount', 'refetch'), pick })),
  weighted(4, fc.record({ do: is('create'), at: is('start', 'end'), body: sent })),
  weighted(4, fc.record({ do: is('patch'), pick, body: edit })),
  weighted(1, fc.record({ do: is('put'), pick, body: fc.record({ title, owner }) })),
  weighted(6, fc.record({ do: is('move'), pick, body: move })),
  weighted(6, fc.record({ do: is('delete', 'vote', 'flag'), pick })),
  weighted(2, fc.record({ do: is('rename'), pick, name: title })),
  weighted(2, fc.record({ do: is('praise'), pick })),
  weighted(2, fc.record({ do: is('comment'), pick, text: title })),
  weighted(1, fc.record({ do: is('delete comment'), pick })),
  weighted(2, fc.record({ do: is('flag all'), pick })),
  weighted(4, fc.record({ do: is('fetch', 'fetchIfStale'), kind, pick })),
  weighted(2, fc.record({ do: is('invalidate', 'expire'), kind, pick })),
  weighted(1, fc.record({ do: is('invalidateAll', 'expireAll'), kind, pick })),
  weighted(
    1,
    fc.record({ do: is('pass'), milliseconds: fc.constantFrom(1, 500, 30_000, 61_000, 125_000) }),
  ),
  weighted(1, fc.record({ do: is('others change'), pick, body: fc.oneof(edit, move) })),
  weighted(1, fc.record({ do: is('others delete'), pick })),
  weighted(1, fc.record({ do: is('others create'), body: whole })),
  weighted(1, fc.record({ do: is('told create'), body: whole })),
  weighted(8, fc.record({ do: is('settle') })),
  weighted(1, fc.record({ do: fc.nat(2).map((one) => (one === 2 ? 'reset' : 'settle')) })),
);

/** A list is requested and read. Before its response arrives, two edits of one record overlap. */
const overlap: fc.Arbitrary<Step[]> = fc
  .record({
    list: pick,
    ticket: pick,
    edits: fc.tuple(move, fc.oneof(move, edit)),
    first: fc.constantFrom(-1, -2),
    style: fc.oneof(fc.constant<Style>('full'), style),
  })
  .map(({ list, ticket, edits, first, style: said }): Step[] => {
    const settles: Step = { do: 'settle' };
    const ends = (what: 'carry out' | 'answer', one: number): Step[] => [
      { do: what, pick: one, style: said, fails: false },
      settles,
    ];
    const moves = edits.map((body): Step => ({ do: 'move', pick: ticket, body }));
    const begins: Step[] = [{ do: 'mount', kind: 'list', pick: list }, settles];
    const answered = [...ends('answer', first), ...ends('answer', -1)];
    return [...begins, ...ends('carry out', -1), ...moves, settles, ...answered];
  });

/** The server has run the first read of a list, whose response takes minutes. Messages arrive meanwhile. */
const stalled: fc.Arbitrary<Step[]> = fc
  .record({
    list: pick,
    message: fc.oneof(
      fc.record({ do: is('told create'), body: whole }),
      fc.record({ do: is('told move'), pick, body: move }),
    ),
    waits: fc.tuple(fc.constantFrom(1, 61_000, 125_000), fc.constantFrom(1, 61_000, 125_000)),
    between: fc.array(step, { maxLength: 2 }),
  })
  .map(({ list, message, waits: [before, after], between }): Step[] => [
    { do: 'mount', kind: 'list', pick: list },
    { do: 'settle' },
    { do: 'carry out', pick: -1, style: 'full', fails: false },
    { do: 'pass', milliseconds: before },
    message,
    { do: 'pass', milliseconds: after },
    ...between.filter((one) => /told|mount|pass|settle|fetch/.test(one.do)),
    { do: 'answer', pick: 0, style: 'full', fails: false },
    { do: 'settle' },
  ]);

/** After a list was loaded, mutations of its tickets, owners and comments. No reader is mounted. */
const loadedBefore: fc.Arbitrary<Step[]> = fc
  .record({
    kind: is('list', 'list', 'ticket'),
    mutations: fc.array(
      fc.oneof(
        fc.record({ do: is('praise', 'vote', 'flag', 'delete comment'), pick }),
        fc.record({ do: is('comment'), pick, text: title }),
        fc.record({ do: is('rename'), pick, name: title }),
      ),
      { minLength: 1, maxLength: 3 },
    ),
    ends: fc.array(answers, { maxLength: 3 }),
  })
  .map(({ kind: first, mutations, ends }): Step[] => [
    { do: 'fetch', kind: first, pick: 4 },
    { do: 'settle' },
    { do: 'answer', pick: -1, style: 'full', fails: false },
    { do: 'settle' },
    ...mutations,
    { do: 'settle' },
    ...ends.flatMap((end): Step[] => [end, { do: 'settle' }]),
  ]);

const stepsOf = (isShared: boolean): fc.Arbitrary<Step[]> =>
  fc
    .array(step, { maxLength: 40, size: 'max' })
    .map((steps) => steps.filter((one) => isShared || !one.do.startsWith('others')));

/** Later steps would fetch most lists again, and hide a mistake. */
const overlapping = fc
  .tuple(fc.array(step, { maxLength: 3 }), overlap)
  .map(([before, steps]) => [...before, ...steps].filter((one) => !one.do.startsWith('others')));

export const programs: fc.Arbitrary<Program> = fc.record({
  optimistic: fc.boolean(),
  functions: is('none', 'all', 'skipping'),
  sending: is('at once', 'at once', 'serial', 'coalesced'),
  runs: is('as sent', 'as answered'),
  hasComments: fc.boolean(),
  owners: is('mounted', 'loaded'),
  isLoaded: fc.boolean(),
  expiry: fc.constantFrom(60_000, Infinity, 0),
  tickets: fc.array(whole, { maxLength: 3 }),
  // Where others change the data, all is fetched again at the end: fewer mistakes are seen.
  steps: fc.oneof(
    stepsOf(false),
    stepsOf(false),
    stepsOf(true),
    overlapping,
    stalled,
    loadedBefore,
    loadedBefore,
  ),
  last: fc.record({
    style,
    picks: fc.array(pick, { maxLength: 6 }),
    first: is('list', 'ticket', 'user', 'comments'),
  }),
});
