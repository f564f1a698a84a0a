import type { Entity } from "@models";
import { BaseStore } from "./store";

export class MemoryStore<T extends Entity> extends BaseStore<T> {
  protected readonly items = new Map<string, T>();

  get(id: string): T | undefined {
    return this.items.get(id);
  }

  put(item: T): void {
    this.items.set(item.id, item);
  }

  delete(id: string): boolean {
    return this.items.delete(id);
  }

  all(): Iterable<T> {
    return this.items.values();
  }
}
