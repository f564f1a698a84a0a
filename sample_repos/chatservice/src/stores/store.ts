import { NotFound } from "@core";
import type { Entity } from "@models";

/** Where entities of one kind live. */
export interface Store<T extends Entity> {
  get(id: string): T | undefined;
  put(item: T): void;
  delete(id: string): boolean;
  all(): Iterable<T>;
}

/** What every store can do once it has the four methods of `Store`. */
export abstract class BaseStore<T extends Entity> implements Store<T> {
  constructor(protected readonly what: string) {}

  abstract get(id: string): T | undefined;
  abstract put(item: T): void;
  abstract delete(id: string): boolean;
  abstract all(): Iterable<T>;

  /** Like `get`, but an unknown id is an error. */
  require(id: string): T {
    const item = this.get(id);
    if (!item) {
      throw new NotFound(`${this.what} ${id}`);
    }
    return item;
  }

  *where(test: (item: T) => boolean): Generator<T> {
    for (const item of this.all()) {
      if (test(item)) {
        yield item;
      }
    }
  }
}
