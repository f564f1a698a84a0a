/** A cache that forgets what was used longest ago. Maps keep insertion order, so the first key is the oldest. */
export class LruCache<Key, Value> {
  readonly #entries = new Map<Key, Value>();

  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, value);
    }
    return value;
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.size > this.capacity) {
      const [oldest] = this.#entries.keys();
      this.#entries.delete(oldest as Key);
    }
  }

  /** The value for `key`, made by `make` the first time. */
  getOrMake(key: Key, make: (key: Key) => Value): Value {
    const known = this.get(key);
    if (known !== undefined) {
      return known;
    }
    const value = make(key);
    this.set(key, value);
    return value;
  }
}
