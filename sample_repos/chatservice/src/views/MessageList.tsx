import { isNotice, type Message, MessageKind } from "@models";
import { type Inline, parseMarkup } from "../text/markup";
import { type Child, Fragment, h } from "./h";

export interface MessageListProps {
  messages: readonly Message[];
  nameOf: (userId: string) => string;
}

export function MessageList({ messages, nameOf }: MessageListProps) {
  if (messages.length === 0) {
    return <p class="empty">Nobody has said anything yet.</p>;
  }
  return (
    <ol class="messages">
      {messages.map((message) => (isNotice(message) ? <Notice text={message.text} /> : <Row message={message} nameOf={nameOf} />))}
    </ol>
  );
}

function Row({ message, nameOf }: { message: Message; nameOf: (userId: string) => string }) {
  const action = message.kind === MessageKind.Action;
  return (
    <li class={action ? "action" : "text"}>
      <b>{nameOf(message.author)}</b> <Markup inlines={parseMarkup(message.text)} />
    </li>
  );
}

const Notice = ({ text }: { text: string }) => <li class="notice">{text}</li>;

/** Marked-up text; spans may lie in spans. */
function Markup({ inlines }: { inlines: readonly Inline[] }) {
  return <>{inlines.map(renderInline)}</>;
}

function renderInline(inline: Inline): Child {
  if (typeof inline === "string") {
    return inline;
  }
  return h(inline.tag, null, <Markup inlines={inline.children} />);
}
