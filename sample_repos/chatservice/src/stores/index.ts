export { JournalStore } from "./journal-store";
export { MemoryStore } from "./memory-store";
export { BaseStore, type Store } from "./store";
