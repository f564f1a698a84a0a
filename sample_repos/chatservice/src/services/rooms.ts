import { randomUUID } from "node:crypto";
import { BadRequest, type Emitter } from "@core";
import type { ChatEvents, Room } from "@models";
import type { BaseStore } from "../stores";

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,39}$/u;

export class RoomService {
  constructor(
    private readonly rooms: BaseStore<Room>,
    private readonly events: Emitter<ChatEvents>,
  ) {}

  create(name: string): Room {
    this.validate(name);
    const room: Room = { id: randomUUID(), name, topic: "" };
    this.rooms.put(room);
    return room;
  }

  get(id: string): Room {
    return this.rooms.require(id);
  }

  list(): Room[] {
    return [...this.rooms.all()].sort(byName);
  }

  join(id: string, userId: string): Room {
    const room = this.get(id);
    this.events.emit("joined", { userId, roomId: room.id });
    return room;
  }

  setTopic(id: string, topic: string): Room {
    const room = { ...this.get(id), topic };
    this.rooms.put(room);
    return room;
  }

  private validate(name: string): void {
    if (!NAME.test(name)) {
      throw new BadRequest("a room's name has 1 to 40 letters, digits, spaces, _ or -");
    }
  }
}

function byName(a: Room, b: Room): number {
  return a.name.localeCompare(b.name);
}
