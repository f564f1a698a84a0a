import { randomUUID } from "node:crypto";
import { BadRequest, type Emitter, traced } from "@core";
import { type ChatEvents, type Message, MessageKind } from "@models";
import { CommandRunner } from "../moderation/commands";
import { applyAll, type Filter } from "../moderation/filters";
import type { BaseStore } from "../stores";
import type { Clock } from "./clock";
import type { RoomService } from "./rooms";

const MAX_LENGTH = 2000;

export class MessageService {
  constructor(
    private readonly messages: BaseStore<Message>,
    private readonly rooms: RoomService,
    private readonly commands: CommandRunner,
    private readonly filters: readonly Filter[],
    private readonly events: Emitter<ChatEvents>,
    private readonly clock: Clock,
  ) {}

  /**
   * Say something in a room. Text that starts with a slash is a command and its outcome is what gets posted; everything else
   * passes the filters.
   */
  @traced
  post(roomId: string, author: string, text: string): Message {
    const room = this.rooms.get(roomId);
    this.validate(text);
    if (text.startsWith("/")) {
      const outcome = this.commands.run(text, { room, author });
      return this.add(room.id, author, outcome.kind, outcome.text);
    }
    return this.add(room.id, author, MessageKind.Text, applyAll(this.filters, text));
  }

  /** The latest messages of a room, oldest first. */
  latest(roomId: string, count = 50): Message[] {
    return [...this.messages.where((message) => message.roomId === roomId)].slice(-count);
  }

  private validate(text: string): void {
    if (!text.trim() || text.length > MAX_LENGTH) {
      throw new BadRequest(`a message has 1 to ${MAX_LENGTH} characters`);
    }
  }

  private add(roomId: string, author: string, kind: MessageKind, text: string): Message {
    const message: Message = { id: randomUUID(), roomId, author, kind, text, sentAt: this.clock.now() };
    this.messages.put(message);
    this.events.emit("message", message);
    return message;
  }
}
