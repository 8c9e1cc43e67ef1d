import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { canonicalText } from '../schema/argText.js';
import { ownText } from '../schema/identityText.js';
import { usedShape } from '../schema/usedShape.js';
import { questionOf } from '../store/views/queries.js';
import type { Result } from '../store/cells/Result.js';
import type { Core } from './Core.js';
import { EndpointView } from './EndpointView.js';
import { LiveView } from './LiveView.js';
import { resultOf } from './resultOf.js';
import { readArgs } from './temporaryKeys.js';

/** Each render, or each call, can make another copy of an endpoint. */
const MOST_COPIES = 8;

/** The views of one controller. Equal endpoints and arguments share one view. */
export class Views {
  readonly #core: Core;
  /** Views of endpoints by result, views of schemas by key. */
  readonly #shared = new Map<unknown, readonly LiveView<unknown>[]>();
  readonly attached: Set<LiveView<unknown>> = new Set();

  constructor(core: Core) {
    this.#core = core;
  }

  ofEndpoint(endpoint: EndpointInterface, given: readonly unknown[]): EndpointView<never> {
    const { store } = this.#core;
    const args = readArgs(store, endpoint, given);
    const result = resultOf(store, endpoint, args);
    // The cast: only views of endpoints are stored under a result.
    return this.share(
      result,
      () => new EndpointView(this.#core, endpoint, args, result),
      (view) => (view as EndpointView<never>).suits(endpoint, args),
    ) as EndpointView<never>;
  }

  ofQuery(schema: unknown, given: readonly unknown[]): LiveView<unknown> {
    usedShape(schema);
    const args = readArgs(this.#core.store, {}, given);
    const own = Object(schema) === schema ? ownText(schema as object) : '';
    const key = `${own} ${canonicalText(args)}`;
    return this.share(key, () => {
      const { shape, reference } = questionOf(schema, args);
      return new LiveView(this.#core, key, shape, args, () => reference);
    });
  }

  share(
    id: unknown,
    create: () => LiveView<unknown>,
    suits: (view: LiveView<unknown>) => boolean = () => true,
  ): LiveView<unknown> {
    return this.of(id).find(suits) ?? this.#add(create());
  }

  isHeld(result: Result | undefined): boolean {
    return this.of(result).some((view) => view.isHeld);
  }

  drop(view: LiveView<unknown>): void {
    const others = this.of(view.id).filter((other) => other !== view);
    this.attached.delete(view);
    if (others.length > 0) {
      this.#shared.set(view.id, others);
    } else {
      this.#shared.delete(view.id);
    }
    view.drop();
  }

  /** Adds a view to the current store after a reset, or when a removed view is used again. */
  adopt(
    view: LiveView<unknown>,
    aborted?: ReadonlySet<Result | undefined>,
    pauses?: boolean,
  ): void {
    view.attach(aborted, pauses);
    this.#add(view);
  }

  move(aborted: ReadonlySet<Result | undefined>, pauses: boolean): void {
    const views = [...this.attached];
    this.#shared.clear();
    for (const view of views) {
      // A suspended reader may use a view without listeners, so such views move too.
      this.adopt(view, aborted, pauses);
    }
  }

  #add(view: LiveView<unknown>): LiveView<unknown> {
    const others = this.of(view.id);
    const unused = others.length < MOST_COPIES ? undefined : others.find((one) => !one.isHeld);
    if (unused) {
      this.drop(unused);
    }
    this.attached.add(view);
    this.#shared.set(view.id, [...this.of(view.id), view]);
    return view;
  }

  of(id: unknown): readonly LiveView<unknown>[] {
    return this.#shared.get(id) ?? [];
  }
}
