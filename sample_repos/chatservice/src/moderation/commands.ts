import { BadRequest } from "@core";
import { MessageKind, type Room } from "@models";
import type { Presence } from "@services/presence";
import type { RoomService } from "@services/rooms";

export interface CommandContext {
  readonly room: Room;
  readonly author: string;
}

export interface Outcome {
  readonly kind: MessageKind;
  readonly text: string;
}

type Command = (rest: string, context: CommandContext) => Outcome;

/** Runs "/name rest": a command is a method called `on` + Name. */
export class CommandRunner {
  constructor(
    private readonly rooms: RoomService,
    private readonly presence: Presence,
  ) {}

  run(text: string, context: CommandContext): Outcome {
    const [, name = "", rest = ""] = /^\/(\w+)\s*(.*)$/s.exec(text) ?? [];
    const key = `on${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const command = (this as unknown as Record<string, Command | undefined>)[key];
    if (!command) {
      throw new BadRequest(`no command is called /${name}`);
    }
    return command.call(this, rest, context);
  }

  onMe(rest: string): Outcome {
    return { kind: MessageKind.Action, text: rest };
  }

  onTopic(rest: string, { room }: CommandContext): Outcome {
    const changed = this.rooms.setTopic(room.id, rest);
    return notice(`the topic is now "${changed.topic}"`);
  }

  onWho(_rest: string, { room }: CommandContext): Outcome {
    return notice(this.presence.inRoom(room.id).join(", ") || "nobody is here");
  }
}

function notice(text: string): Outcome {
  return { kind: MessageKind.Notice, text };
}
