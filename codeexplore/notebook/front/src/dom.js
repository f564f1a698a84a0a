// @ts-check
/** Text only ever becomes text.
 * @param {string} tag @param {Record<string, any>} [props] @param {...(Node | string | null | undefined | false)} children */
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked") /** @type {any} */ (node)[key] = value;
    else node.setAttribute(key, value === true ? "" : String(value));
  }
  node.append(
    .../** @type {any[]} */ (children.filter((each) => each !== null && each !== undefined && each !== false)),
  );
  return node;
}

/** @param {string} tag @param {Record<string, any>} [props] @param {...(Node | string)} children */
export function s(tag, props = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(props)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value !== undefined) node.setAttribute(key, String(value));
  }
  node.append(...children);
  return node;
}

const TAGS = new Set(
  "A B BR BUTTON CAPTION CODE DETAILS DIV EM I IMG LI MARK OL P PRE SMALL SPAN STRONG SUMMARY TABLE TBODY TD TH THEAD TR UL H3 H4".split(
    " ",
  ),
);
const KEPT = /^(class|style|title|role|alt|colspan|scope|open|tabindex|aria-[a-z]+|data-copy)$/;

/** The displays of Python as elements: only known tags and attributes are taken over, and no script or handler.
 * @param {string} html @returns {DocumentFragment} */
export function blocks(html) {
  const made = document.createDocumentFragment();
  const copy = (/** @type {Node} */ from, /** @type {Node} */ to) => {
    for (const child of from.childNodes) {
      if (child.nodeType === 3) to.appendChild(document.createTextNode(child.textContent ?? ""));
      if (!(child instanceof Element) || !TAGS.has(child.tagName)) continue;
      const node = document.createElement(child.tagName);
      for (const { name, value } of child.attributes)
        if (KEPT.test(name) && !/url\(/i.test(value)) node.setAttribute(name, value);
      const src = child.getAttribute("src") ?? "";
      if (child.tagName === "IMG" && src.startsWith("data:image/svg+xml")) node.setAttribute("src", src);
      if (child.matches("a.ce-place")) node.setAttribute("href", "#");
      copy(child, node);
      to.appendChild(node);
    }
  };
  copy(new DOMParser().parseFromString(html, "text/html").body, made);
  return made;
}

/** @param {string} text @param {string} title @param {(e: Event) => void} click @param {Record<string, any>} [props] */
export const button = (text, title, click, props = {}) =>
  h("button", { type: "button", title, onclick: click, ...props }, text);

/** @param {string} text @returns {boolean} false if the browser refuses */
export function copyText(text) {
  const on = /** @type {HTMLElement | null} */ (document.activeElement);
  const area = /** @type {HTMLTextAreaElement} */ (h("textarea", { value: text }));
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  on?.focus({ preventScroll: true });
  return done;
}
