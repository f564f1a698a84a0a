import { appendFileSync, existsSync, readFileSync } from "node:fs";
import type { Entity } from "@models";
import { MemoryStore } from "./memory-store";

type Entry<T> = { put: T } | { delete: string };

/** Survives a restart: every change is a line of a file, and the file is replayed when the store opens. */
export class JournalStore<T extends Entity> extends MemoryStore<T> {
  constructor(
    what: string,
    private readonly file: string,
  ) {
    super(what);
    this.replay();
  }

  override put(item: T): void {
    super.put(item);
    this.append({ put: item });
  }

  override delete(id: string): boolean {
    const known = super.delete(id);
    if (known) {
      this.append({ delete: id });
    }
    return known;
  }

  private replay(): void {
    if (!existsSync(this.file)) {
      return;
    }
    for (const line of readFileSync(this.file, "utf-8").split("\n").filter(Boolean)) {
      const entry = JSON.parse(line) as Entry<T>;
      if ("put" in entry) {
        super.put(entry.put);
      } else {
        super.delete(entry.delete);
      }
    }
  }

  private append(entry: Entry<T>): void {
    appendFileSync(this.file, JSON.stringify(entry) + "\n");
  }
}
