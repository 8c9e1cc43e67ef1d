/** A mounted reader: does with its view what the hooks do (see `useView` and `useSuspense`). */
import type { Controller, ReadEndpoint, View, ViewSnapshot } from 'restitch';
import type { Question } from './questions.js';

export class Reader {
  readonly question: Question;
  /** Shows nothing and is not subscribed while it waits, as `useSuspense`; otherwise as `useDLE`. */
  readonly suspends: boolean;
  readonly #view: View<unknown>;
  #shown: ViewSnapshot<unknown>;
  #stop: (() => void) | undefined;
  #isGone = false;
  /** Responses to its own question in a row after which it still waited. */
  barren = 0;

  constructor(controller: Controller, question: Question, suspends: boolean) {
    this.question = question;
    this.suspends = suspends;
    // The cast: a question reads.
    const endpoint = question.endpoint as ReadEndpoint;
    this.#view = controller.observe(endpoint, ...question.args);
    this.#shown = this.#view.getSnapshot();
    this.#render();
  }

  /** What is on the screen. */
  get current(): ViewSnapshot<unknown> {
    return this.#shown;
  }

  /** Whether it shows a row that was deleted meanwhile: that stays until it asks again. */
  get showsDeleted(): boolean {
    return stays(this.#shown, this.#view.getSnapshot());
  }

  leave(): void {
    this.#isGone = true;
    this.#stop?.();
  }

  /** An error past its lifetime is not thrown at a reader that comes later. */
  #read(mounted: boolean): ViewSnapshot<unknown> {
    const snapshot = this.#view.getSnapshot();
    const isOver = this.suspends && snapshot.status === 'error' && this.#view.needsLoad(mounted);
    return isOver ? { status: 'pending' } : snapshot;
  }

  #render(): void {
    if (this.#isGone) return;
    this.#shown = this.#read(false);
    if (this.suspends && this.#shown.status === 'pending') {
      const again = (): void => this.#render();
      this.#view.load(undefined, true).then(again, again);
      return;
    }
    this.#stop ??= this.#view.subscribe(() => this.#show(this.#look(true)));
    this.#show(this.#look(false));
  }

  #look(mounted: boolean): ViewSnapshot<unknown> {
    const snapshot = this.#read(mounted);
    if (!stays(this.#shown, snapshot) && this.#view.needsLoad(mounted)) {
      this.#view.load().catch(() => {});
    }
    return snapshot;
  }

  #show(snapshot: ViewSnapshot<unknown>): void {
    if (stays(this.#shown, snapshot)) return;
    this.#shown = snapshot;
    // A reader that suspends again stays subscribed: React keeps the effects of a hidden component.
    if (this.suspends && snapshot.status === 'pending') this.#render();
  }
}

function stays(before: ViewSnapshot<unknown>, after: ViewSnapshot<unknown>): boolean {
  return before.status === 'ready' && 'deleted' in after;
}
