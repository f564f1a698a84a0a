import assert from "node:assert/strict";
import { test } from "node:test";
import { compose, Emitter, HttpError, type HttpRequest, json, LruCache, type Middleware, Router } from "@core";

function get(path: string): HttpRequest {
  return { method: "GET", path, headers: {}, body: undefined, params: {} };
}

function noting(name: string, order: string[]): Middleware {
  return (request, next) => {
    order.push(name);
    return next(request);
  };
}

test("the first route that fits gets the named parts of the path", async () => {
  const router = new Router().get("/rooms/:id", (request) => json(request.params));
  const response = await router.handle(get("/rooms/42"));
  assert.deepEqual(JSON.parse(response.body), { id: "42" });
  assert.equal((await router.handle(get("/halls/42"))).status, 404);
});

test("errors become responses, and unknown ones stay secret", async () => {
  const router = new Router()
    .get("/teapot", () => {
      throw new HttpError(418, "short and stout");
    })
    .get("/bug", () => {
      throw new Error("the password is …");
    });
  assert.equal((await router.handle(get("/teapot"))).body, '{"error":"short and stout"}');
  assert.equal((await router.handle(get("/bug"))).body, '{"error":"internal error"}');
});

test("middleware runs from the outside in", async () => {
  const order: string[] = [];
  await compose([noting("outer", order), noting("inner", order)], () => json(null))(get("/"));
  assert.deepEqual(order, ["outer", "inner"]);
});

test("once hears one event, on hears all", () => {
  const bus = new Emitter<{ tick: number }>();
  const heard: string[] = [];
  bus.once("tick", (n) => heard.push(`once ${n}`));
  const off = bus.on("tick", (n) => heard.push(`on ${n}`));
  bus.emit("tick", 1);
  bus.emit("tick", 2);
  off();
  bus.emit("tick", 3);
  assert.deepEqual(heard, ["once 1", "on 1", "on 2"]);
});

test("the cache forgets what was used longest ago", () => {
  const cache = new LruCache<string, number>(2);
  cache.set("a", 1);
  cache.set("b", 2);
  cache.get("a");
  cache.set("c", 3);
  assert.deepEqual([cache.get("a"), cache.get("b"), cache.size], [1, undefined, 2]);
});
