import type { Emitter } from "@core";
import type { ChatEvents, Message } from "@models";

/** Who is in which room. Learns everything from events: people are in a room from joining or posting until they log out. */
export class Presence {
  readonly #rooms = new Map<string, Set<string>>();
  expiredCount = 0;

  constructor(events: Emitter<ChatEvents>) {
    events.on("joined", this.onJoined);
    events.on("message", this.onMessage.bind(this));
    events.on("loggedOut", (event) => {
      this.expiredCount += event.expired ? 1 : 0;
      this.leaveAll(event.userId);
    });
  }

  inRoom(roomId: string): string[] {
    return [...(this.#rooms.get(roomId) ?? [])].sort();
  }

  private readonly onJoined = ({ userId, roomId }: ChatEvents["joined"]): void => {
    this.enter(roomId, userId);
  };

  private onMessage(message: Message): void {
    this.enter(message.roomId, message.author);
  }

  private enter(roomId: string, userId: string): void {
    const present = this.#rooms.get(roomId) ?? new Set();
    this.#rooms.set(roomId, present.add(userId));
  }

  private leaveAll(userId: string): void {
    for (const present of this.#rooms.values()) {
      present.delete(userId);
    }
  }
}
