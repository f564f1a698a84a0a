import { join } from "node:path";
import { Emitter, Router } from "@core";
import type { ChatEvents, Message, Room, Session, User } from "@models";
import { type Clock, systemClock } from "@services/clock";
import { MessageService } from "@services/messages";
import { Presence } from "@services/presence";
import { RoomService } from "@services/rooms";
import { SessionService } from "@services/session";
import { type Config, defaults } from "./config";
import { authenticate, logRequests, rateLimit, type Write } from "./middleware";
import { CommandRunner } from "./moderation/commands";
import { createFilter } from "./moderation/registry";
import { RoomRoutes } from "./routes/rooms";
import sessionRoutes from "./routes/sessions";
import { type BaseStore, JournalStore, MemoryStore } from "./stores";

export interface App {
  readonly router: Router;
  readonly sessions: SessionService;
  readonly presence: Presence;
  readonly events: Emitter<ChatEvents>;
}

export interface AppOptions {
  config?: Config;
  clock?: Clock;
  write?: Write;
}

/** Wires the service up. Nothing listens yet: see `main.ts`. */
export default async function createApp(options: AppOptions = {}): Promise<App> {
  const { config = defaults, clock = systemClock, write = console.log } = options;
  const events = new Emitter<ChatEvents>();
  const users = new MemoryStore<User>("user");
  const rooms = new RoomService(new MemoryStore<Room>("room"), events);
  const presence = new Presence(events);
  const sessions = new SessionService(new MemoryStore<Session>("session"), users, events, clock);
  const filters = await Promise.all(config.filters.map(createFilter));
  const commands = new CommandRunner(rooms, presence);
  const messages = new MessageService(openMessages(config), rooms, commands, filters, events, clock);

  const roomRouter = new RoomRoutes(rooms, messages, presence, users).router();
  const router = new Router()
    .use(logRequests(write), rateLimit({ ...config, clock }))
    .mount("/sessions", sessionRoutes(sessions))
    .mount("/rooms", new Router().use(authenticate(sessions)).mount("", roomRouter));
  return { router, sessions, presence, events };
}

function openMessages(config: Config): BaseStore<Message> {
  return config.data
    ? new JournalStore<Message>("message", join(config.data, "messages.jsonl"))
    : new MemoryStore<Message>("message");
}
