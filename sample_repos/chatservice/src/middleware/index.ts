export { authenticate, tokenOf } from "./authenticate";
export { default as rateLimit } from "./limit";
export * from "./log";
