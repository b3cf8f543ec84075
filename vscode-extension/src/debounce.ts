/** Work that waits until nothing has asked for it for a while, by key. */

export class Debounce {
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  /** `quiet` in milliseconds. */
  constructor(private readonly quiet: number) {}

  /** Does the work later; what waits under the same key is not done. */
  soon(key: string, work: () => void): void {
    clearTimeout(this.#timers.get(key));
    this.#timers.set(
      key,
      setTimeout(() => {
        this.#timers.delete(key);
        work();
      }, this.quiet),
    );
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }
}
