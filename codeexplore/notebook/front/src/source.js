// @ts-check
import { button, h } from "./dom.js";
/** @typedef {import("./main.js").App} App */

/** The pieces of a line as elements. A name that the graph knows is a link.
 * @param {any[]} parts @param {App} app */
export function pieces(parts, app) {
  return parts.map(([text, style, sought, ids]) => {
    if (!style && !sought && !ids?.length) return text;
    if (!ids?.length) return h(sought ? "mark" : "span", { class: style || undefined }, text);
    const link = h(
      "a",
      {
        href: "#",
        class: `ce-link ${style ?? ""}`,
        "data-id": ids[0],
        "data-ids": ids.length > 1 ? ids.join("\n") : undefined,
      },
      ...(typeof text === "string" ? [sought ? h("mark", {}, text) : text] : pieces(text, app)),
    );
    link.addEventListener("click", (e) => {
      e.preventDefault();
      if (/** @type {MouseEvent} */ (e).altKey) app.walk({ symbol: ids[0], others: ids.slice(1), walk: "callers" });
      else if (ids.length > 1) several(link, ids, app);
      else app.open(ids[0]);
    });
    link.addEventListener("mouseenter", () => peek(link, ids[0], app));
    link.addEventListener("focus", () => peek(link, ids[0], app));
    for (const end of ["mouseleave", "blur"])
      link.addEventListener(end, () => {
        if (!app.peek.contains(document.activeElement)) app.hide();
      });
    return link;
  });
}

/** @param {any} parts @returns {string} */
const textOf = (parts) =>
  typeof parts === "string" ? parts : parts.map((/** @type {any} */ each) => textOf(each[0])).join("");

/** @param {HTMLElement} link @param {string[]} ids @param {App} app */
async function several(link, ids, app) {
  const found = await Promise.all(ids.slice(0, 12).map((symbol) => app.ask("peek", { symbol }).catch(() => null)));
  app.showPeek(
    link,
    h(
      "div",
      {},
      h("b", {}, "This name may mean:"),
      ...found.filter(Boolean).map((each) =>
        button(`${each.name}  ${each.place}`, "Open its definition", () => app.open(each.target), {
          class: "ce-row-button",
        }),
      ),
    ),
  );
  /** @type {HTMLElement | null} */ (app.peek.querySelector("button"))?.focus();
}

/** @param {HTMLElement} link @param {string} symbol @param {App} app */
async function peek(link, symbol, app) {
  await new Promise((done) => setTimeout(done, 150));
  if (!link.matches(":hover, :focus")) return;
  const found = await app.ask("peek", { symbol }).catch(() => null);
  if (!found || !link.isConnected || !link.matches(":hover, :focus")) return;
  app.showPeek(
    link,
    h(
      "div",
      {},
      h("code", {}, found.signature || found.name),
      h("div", {}, found.doc),
      h("small", {}, [found.counts, found.place, "Alt+click: callers"].filter(Boolean).join(" · ")),
    ),
  );
}

/** @param {any} answer @param {App} app @param {number} site the line of the call that was asked for
 * @returns {HTMLElement[]} */
export function sourceView(answer, app, site) {
  const width = String(answer.lines.at(-1)?.[0] ?? 1).length;
  const lines = answer.lines.map((/** @type {any} */ [number, parts]) =>
    h(
      "div",
      { class: `ce-line${number === answer.at ? " ce-at" : ""}${number === site ? " ce-site" : ""}` },
      h("span", { class: "ce-no", style: `width:${width + 1}ch` }, String(number)),
      h("span", { class: "ce-text" }, ...pieces(parts, app)),
    ),
  );
  const more = (/** @type {number} */ first, /** @type {string} */ text) =>
    first
      ? [button(text, "The source is shown in parts", () => app.open(answer.row.target, { first, keep: false }))]
      : [];
  const copy = button("Copy", "Copy this code", () =>
    app.copy(answer.lines.map((/** @type {any} */ [, parts]) => textOf(parts)).join("\n")),
  );
  const crumbs = answer.crumbs.flatMap(([id, name] = ["", ""], /** @type {number} */ i) => [
    i ? " › " : "",
    button(name, id, () => app.open(id), { class: "ce-crumb-button" }),
  ]);
  const edit = answer.edit.href
    ? h("a", { class: "ce-edit", title: "Open the file in the editor", ...answer.edit }, answer.row.place)
    : h("span", { class: "ce-edit" }, answer.row.place);
  const callers =
    answer.row.kind === "text"
      ? []
      : [
          button("Callers", "Draw what calls it (Alt+click a name)", () =>
            app.walk({ symbol: answer.row.target, walk: "callers" }),
          ),
        ];
  return [
    h(
      "div",
      { class: "ce-bar" },
      button("←", "Back (Alt+Left)", () => app.step(-1), { class: "ce-back", "aria-label": "Back" }),
      button("→", "Forward (Alt+Right)", () => app.step(1), { "aria-label": "Forward", disabled: !app.ahead() }),
      h("nav", { class: "ce-crumb", "aria-label": "Where this source is" }, ...crumbs),
      edit,
      ...callers,
      copy,
      button("×", "Close the source (Escape)", () => app.close(), { "aria-label": "Close the source" }),
    ),
    answer.note && h("p", { class: "ce-dim" }, answer.note),
    ...more(answer.before, "Lines before"),
    h(
      "pre",
      { class: "ce-source codeexplore", tabindex: 0, role: "region", "aria-label": `Source of ${answer.row.name}` },
      ...lines,
    ),
    ...more(answer.after, `Lines after, of ${answer.of}`),
  ].filter(Boolean);
}
