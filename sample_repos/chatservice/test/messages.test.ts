import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type Message, MessageKind } from "@models";
import { createFilter, registerFilter } from "../src/moderation/registry";
import { JournalStore } from "../src/stores";
import { parseMarkup, plainText } from "../src/text/markup";
import { TestClient } from "./helpers";

async function clientInRoom(filters: string[] = []): Promise<[TestClient, string]> {
  const client = await TestClient.start({ filters });
  await client.login("ada");
  return [client, await client.openRoom("lobby")];
}

function message(id: string): Message {
  return { id, roomId: "r", author: "ada", kind: MessageKind.Text, text: id, sentAt: 0 };
}

test("messages pass the filters in their order", async () => {
  const [client, room] = await clientInRoom(["gentle: darn", "./plugins/links: http"]);
  const posted = await client.say(room, "darn, see http://example.org");
  assert.equal(posted.text, "d***, see http:// example.org");
});

test("filters are made by name", async () => {
  registerFilter("reverse", () => ({ name: "reverse", apply: (text) => [...text].reverse().join("") }));
  assert.equal((await createFilter("reverse")).apply("tea"), "aet");
  assert.equal((await createFilter("words: heck")).apply("What the heck"), "What the ***");
  assert.equal((await createFilter("calm")).apply("GOOD MORNING"), "good morning");
  await assert.rejects(createFilter("nonsense"), /no filter is called nonsense/);
});

test("commands are found by their name", async () => {
  const [client, room] = await clientInRoom();
  assert.deepEqual((await client.say(room, "/me waves")).kind, MessageKind.Action);
  assert.equal((await client.say(room, "/topic tea")).text, 'the topic is now "tea"');
  assert.match((await client.say(room, "/who")).text, /^[0-9a-f-]{36}$/);
  assert.equal((await client.send("POST", `/rooms/${room}/messages`, { text: "/fly" })).status, 400);
});

test("a room is a page", async () => {
  const [client, room] = await clientInRoom();
  await client.say(room, "*so _very_ <b>* `*x*`");
  await client.say(room, "/who");
  const { body } = await client.send("GET", `/rooms/${room}`);
  assert.ok(body.includes("<strong>so <em>very</em> &#60;b&#62;</strong> <code>*x*</code>"), body);
  assert.ok(body.includes("<p>Here: ada</p>"));
  assert.match(body, /<li class="notice">/);
});

test("plain text has no marks", () => {
  assert.equal(plainText(parseMarkup("*a _b_* c_")), "a b c_");
});

test("a journal is replayed when the store opens", () => {
  const file = join(mkdtempSync(join(tmpdir(), "chat-")), "messages.jsonl");
  const first = new JournalStore<Message>("message", file);
  first.put(message("1"));
  first.put(message("2"));
  first.delete("1");
  assert.deepEqual([...new JournalStore<Message>("message", file).all()], [message("2")]);
});

test("too many requests are refused for a while", async () => {
  const client = await TestClient.start({ burst: 2, perSecond: 1 });
  await client.login("ada");
  await client.send("GET", "/rooms");
  assert.equal((await client.send("GET", "/rooms")).status, 429);
  client.clock.advance(1000);
  assert.equal((await client.send("GET", "/rooms")).status, 200);
  assert.deepEqual(client.log, ["POST /sessions 201", "GET /rooms 200", "GET /rooms 200"]); // refusals leave no line
});
