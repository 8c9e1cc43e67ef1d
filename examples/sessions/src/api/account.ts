/** The signed-in user, for the page and for subscribers. */
class Account {
  #user: string | undefined;
  readonly #listeners = new Set<() => void>();

  get user(): string | undefined {
    return this.#user;
  }

  set user(user: string | undefined) {
    this.#user = user;
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

export const account = new Account();
