import type { Message, Room } from "@models";
import { type Child, h } from "./h";
import { MessageList } from "./MessageList";

export interface RoomPageProps {
  room: Room;
  messages: readonly Message[];
  present: readonly string[];
  nameOf: (userId: string) => string;
}

/** A room as a page. It reloads itself every ten seconds; there is no script. */
export default function RoomPage({ room, messages, present, nameOf }: RoomPageProps) {
  return (
    <Layout title={room.name}>
      <h1>{room.name}</h1>
      {room.topic && <p class="topic">{room.topic}</p>}
      <p>{`Here: ${present.map(nameOf).join(", ") || "nobody"}`}</p>
      <MessageList messages={messages} nameOf={nameOf} />
    </Layout>
  );
}

function Layout({ title, children }: { title: string; children?: Child[] }) {
  return (
    <html lang="en">
      <head>
        <title>{title}</title>
        <meta http-equiv="refresh" content="10"></meta>
      </head>
      <body>{children}</body>
    </html>
  );
}
