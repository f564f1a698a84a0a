import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Emitter, type HttpRequest, type Method, type Router } from "@core";
import type { ChatEvents, Message, Room, User } from "@models";
import { ManualClock } from "@services/clock";
import { MessageService } from "@services/messages";
import { Presence } from "@services/presence";
import { RoomService } from "@services/rooms";
import { CommandRunner } from "../src/moderation/commands";
import { calmDown } from "../src/moderation/filters";
import { RoomRoutes } from "../src/routes/rooms";
import { MemoryStore } from "../src/stores";

let router: Router;

beforeEach(setUp);

/** The routes of rooms alone: no middleware, so tests say themselves who is asking. */
function setUp(): void {
  const events = new Emitter<ChatEvents>();
  const rooms = new RoomService(new MemoryStore<Room>("room"), events);
  const presence = new Presence(events);
  const commands = new CommandRunner(rooms, presence);
  const clock = new ManualClock();
  const messages = new MessageService(new MemoryStore<Message>("message"), rooms, commands, [calmDown], events, clock);
  router = new RoomRoutes(rooms, messages, presence, new MemoryStore<User>("user")).router();
}

function ask(method: Method, path: string, body?: unknown, userId?: string): HttpRequest {
  return { method, path, headers: {}, body, params: {}, userId };
}

test("rooms are listed by name", async () => {
  await router.handle(ask("POST", "/", { name: "tea" }));
  await router.handle(ask("POST", "/", { name: "coffee" }));
  const response = await router.handle(ask("GET", "/"));
  assert.deepEqual(JSON.parse(response.body).map((room: Room) => room.name), ["coffee", "tea"]);
});

test("a room's name is checked", async () => {
  assert.equal((await router.handle(ask("POST", "/", { name: "  " }))).status, 400);
  assert.equal((await router.handle(ask("POST", "/", {}))).status, 400);
});

test("only users can post", async () => {
  const room = JSON.parse((await router.handle(ask("POST", "/", { name: "tea" }))).body);
  assert.equal((await router.handle(ask("POST", `/${room.id}/messages`, { text: "hi" }))).status, 401);
  assert.equal((await router.handle(ask("POST", `/${room.id}/messages`, { text: "hi" }, "ada"))).status, 201);
  assert.equal((await router.handle(ask("GET", "/nowhere/messages"))).status, 404);
});
