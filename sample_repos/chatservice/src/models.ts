/** The things the service keeps. They are plain data: anything with behaviour is a service. */

export interface Entity {
  readonly id: string;
}

export interface User extends Entity {
  name: string;
}

export interface Session extends Entity {
  readonly userId: string;
  lastSeen: number;
}

export interface Room extends Entity {
  readonly name: string;
  topic: string;
}

export enum MessageKind {
  Text = "text",
  Action = "action",
  Notice = "notice",
}

export interface Message extends Entity {
  readonly roomId: string;
  readonly author: string;
  readonly kind: MessageKind;
  readonly text: string;
  readonly sentAt: number;
}

/** What the rest of the program may listen to. */
export interface ChatEvents {
  joined: { userId: string; roomId: string };
  message: Message;
  loggedOut: { userId: string; expired: boolean };
}

export function isNotice(message: Message): boolean {
  return message.kind === MessageKind.Notice;
}
