/** Everything below `src/core`, for `import … from "@core"`. */
export * from "./errors";
export * from "./http";
export { compose, Router } from "./router";
export { default as Emitter } from "./emitter";
export type { Listener, Unsubscribe } from "./emitter";
export { LruCache } from "./lru";
export { NodeServer as Server } from "./server";
export { setSink, traced, type Span } from "./trace";
