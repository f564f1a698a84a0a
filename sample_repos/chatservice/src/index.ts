/** For programs that embed the service. */
export { default as createApp, type App, type AppOptions } from "./app";
export { defaults as defaultConfig, readConfig, type Config } from "./config";
export { Emitter, HttpError, Router, Server } from "./core";
export * from "./models";
export { registerFilter } from "./moderation/registry";
export { type Filter, WordFilter } from "./moderation/filters";
