/** Just enough of JSX to write pages on the server: `h` makes nodes, `renderToString` writes them as HTML. */

export type Child = VNode | string | number | null | undefined | false | readonly Child[];
export type Props = Readonly<Record<string, unknown>>;
export type Component<P> = (props: P & { children?: Child[] }) => VNode;

export interface VNode {
  readonly tag: string;
  readonly props: Props;
  readonly children: readonly Child[];
}

declare global {
  namespace JSX {
    type Element = VNode;
    interface IntrinsicElements {
      [tag: string]: Props;
    }
    interface ElementChildrenAttribute {
      children: unknown;
    }
  }
}

/** What the compiler makes of `<tag prop={…}>children</tag>`. */
export function h<P extends object>(type: string | Component<P>, props: P | null, ...children: Child[]): VNode {
  if (typeof type === "function") {
    return type({ ...(props as P), children });
  }
  return { tag: type, props: { ...props }, children };
}

/** Children without an element around them. */
export function Fragment({ children }: { children?: Child[] }): VNode {
  return { tag: "", props: {}, children: children ?? [] };
}

export function renderToString(child: Child): string {
  if (child === null || child === undefined || child === false) {
    return "";
  }
  if (typeof child === "string" || typeof child === "number") {
    return escapeHtml(String(child));
  }
  if (isList(child)) {
    return child.map(renderToString).join("");
  }
  const inner = renderToString(child.children);
  return child.tag ? `<${child.tag}${renderProps(child.props)}>${inner}</${child.tag}>` : inner;
}

function renderProps(props: Props): string {
  return Object.entries(props)
    .filter(([, value]) => value !== false && value !== undefined)
    .map(([name, value]) => (value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`))
    .join("");
}

function isList(child: Child): child is readonly Child[] {
  return Array.isArray(child);
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
