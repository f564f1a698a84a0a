import assert from "node:assert/strict";
import { test } from "node:test";
import { setSink } from "@core";
import { TestClient } from "./helpers";

const MINUTE = 60_000;

test("a session ends after half an hour of silence", async () => {
  const client = await TestClient.start();
  await client.login("ada");
  client.clock.advance(29 * MINUTE);
  assert.equal((await client.send("GET", "/rooms")).status, 200);
  client.clock.advance(31 * MINUTE);
  const response = await client.send("GET", "/rooms");
  assert.equal(response.body, '{"error":"the session has expired"}');
  assert.equal(response.headers["www-authenticate"], "Bearer");
});

test("sweep ends the sessions that nobody comes back to", async () => {
  const client = await TestClient.start();
  await client.login("ada");
  client.clock.advance(31 * MINUTE);
  client.app.sessions.sweep();
  assert.equal(client.app.presence.expiredCount, 1);
  assert.throws(() => client.app.sessions.validate(client.token), /log in first/);
});

test("logging out ends the session at once", async () => {
  const client = await TestClient.start();
  await client.login("ada");
  assert.equal((await client.send("DELETE", "/sessions")).status, 204);
  assert.equal((await client.send("GET", "/rooms")).status, 401);
});

test("traced methods report how long they took", async () => {
  const names: string[] = [];
  setSink((span) => names.push(span.name));
  const client = await TestClient.start();
  await client.login("ada");
  setSink(undefined);
  assert.deepEqual(names, ["create"]);
});
