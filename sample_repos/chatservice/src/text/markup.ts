/** The markup of messages: `*strong*`, `_emphasis_` and `` `code` ``; the first two may contain each other. */

export type Inline = string | { readonly tag: "strong" | "em" | "code"; readonly children: readonly Inline[] };

const TAGS = { "*": "strong", _: "em", "`": "code" } as const;
type Mark = keyof typeof TAGS;

interface Cursor {
  readonly text: string;
  position: number;
}

export function parseMarkup(text: string): Inline[] {
  return parseInlines({ text, position: 0 });
}

/** Everything up to `end`, or to the end of the text. */
function parseInlines(cursor: Cursor, end?: Mark): Inline[] {
  const found: Inline[] = [];
  let plain = "";
  while (cursor.position < cursor.text.length && cursor.text[cursor.position] !== end) {
    const span = parseSpan(cursor);
    if (typeof span === "string") {
      plain += span;
    } else {
      found.push(...(plain ? [plain] : []), span);
      plain = "";
    }
  }
  return plain ? [...found, plain] : found;
}

/** A marked span, or the single character at the cursor when none begins here. */
function parseSpan(cursor: Cursor): Inline {
  const mark = cursor.text.charAt(cursor.position++);
  if (!isMark(mark) || !cursor.text.includes(mark, cursor.position)) {
    return mark;
  }
  if (mark === "`") {
    const close = cursor.text.indexOf(mark, cursor.position);
    const code = cursor.text.slice(cursor.position, close);
    cursor.position = close + 1;
    return { tag: "code", children: [code] };
  }
  const children = parseInlines(cursor, mark);
  cursor.position += 1;
  return { tag: TAGS[mark], children };
}

function isMark(character: string): character is Mark {
  return character in TAGS;
}

/** The text without its marks, for notifications. */
export function plainText(inlines: readonly Inline[]): string {
  return inlines.map((inline) => (typeof inline === "string" ? inline : plainText(inline.children))).join("");
}
