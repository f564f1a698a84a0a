// @ts-check
import { blocks, button, h, s } from "./dom.js";
import { curve, inSight, zoomed } from "./state.js";
/** @typedef {import("./main.js").App} App */

/** The controls, the picture and the list of a walk. List and picture are one selection.
 * @param {any} asked @param {any} found @param {App} app @param {string[]} [before] ids of the boxes before a box was expanded */
export function graphView(asked, found, app, before) {
  const again = (/** @type {any} */ change) => app.walk({ ...asked, ...change });
  const details = h("div", { class: "ce-details" });
  const select = async (/** @type {string} */ id) => {
    for (const box of svg.querySelectorAll(".ce-box"))
      if (box.hasAttribute("aria-pressed")) {
        box.classList.toggle("ce-chosen", box.getAttribute("data-id") === id);
        box.setAttribute("aria-pressed", String(box.getAttribute("data-id") === id));
      }
    list.value = id;
    begin.disabled = show.disabled = false;
    expand.disabled = asked.walk === "path" || id === asked.symbol;
    expand.textContent = `${expanded.includes(id) ? "Remove" : "Add"} its ${asked.walk}`;
    const said = await app.tried(app.ask("details", { symbol: id }), () => select(id));
    if (said) details.replaceChildren(blocks(said.html));
  };
  const expanded = asked.expanded ?? [];
  const grow = () => {
    const id = list.value,
      name = found.list.find((/** @type {any} */ each) => each[0] === id)?.[2],
      without = expanded.filter((/** @type {string} */ each) => each !== id),
      less = without.length < expanded.length,
      had = found.list.length;
    again({
      chosen: id,
      before: found.boxes.map((/** @type {any} */ box) => box.id),
      expanded: less ? without : [...expanded, id],
      grown: (/** @type {number} */ now) =>
        less
          ? `Removed the ${asked.walk} of ${name}.`
          : now > had
            ? `Added the ${asked.walk} of ${name}: ${now - had} more in the graph, outlined.`
            : `The graph had all ${asked.walk} of ${name} already.`,
    });
  };
  const list = /** @type {HTMLSelectElement} */ (
    h(
      "select",
      { size: Math.max(2, Math.min(8, found.list.length)), class: "ce-list", "aria-label": "Symbols in the graph" },
      ...found.list.map((/** @type {any} */ [id, depth, name, place]) =>
        h("option", { value: id }, `${depth < 0 ? "possible" : depth || "start"}  ${name}  ${place}`),
      ),
    )
  );
  list.addEventListener("change", () => select(list.value));
  list.addEventListener("dblclick", () => app.open(list.value));
  const begin = /** @type {HTMLButtonElement} */ (
    button("Start here", "Show the graph around the chosen symbol", () =>
      again({
        symbol: list.value,
        others: [],
        opened: [],
        expanded: [],
        walk: asked.walk === "path" ? "callers" : asked.walk,
        trail: [...(asked.trail ?? []), asked.symbol],
      }),
    )
  );
  const show = /** @type {HTMLButtonElement} */ (
    button("Open source", "Open the source of the chosen symbol", () => app.open(list.value))
  );
  const expand = /** @type {HTMLButtonElement} */ (
    button(`Add its ${asked.walk}`, "One more step of the walk, from the chosen symbol", grow, { "data-key": "expand" })
  );
  begin.disabled = show.disabled = expand.disabled = true;
  expand.hidden = asked.walk === "path";

  const { svg, fit } = picture(
    found,
    asked.chosen,
    before,
    (box) => {
      if (box.members) again({ opened: [...(asked.opened ?? []), box.id] });
      else select(box.id);
    },
    app,
  );
  const walks = [...(asked.target ? ["path"] : []), ...app.known.walks];
  const option = (/** @type {string[]} */ all, /** @type {string} */ now) =>
    all.map((each) => h("option", { value: each, selected: each === now }, each));
  const pick = (
    /** @type {string} */ label,
    /** @type {string[]} */ all,
    /** @type {string} */ now,
    /** @type {(v: string) => void} */ change,
  ) =>
    h(
      "label",
      {},
      label,
      " ",
      h("select", { onchange: (/** @type {any} */ e) => change(e.target.value) }, ...option(all, now)),
    );
  const number = (
    /** @type {string} */ label,
    /** @type {number} */ now,
    /** @type {any} */ limits,
    /** @type {(v: number) => void} */ change,
  ) =>
    h(
      "label",
      {},
      label,
      " ",
      h("input", {
        type: "number",
        value: now,
        ...limits,
        onchange: (/** @type {any} */ e) => change(Number(e.target.value)),
      }),
    );
  const kinds = asked.kinds ?? null;
  const more = h(
    "details",
    { class: "ce-more", open: app.moreGraph },
    h(
      "summary",
      {
        onclick: () => {
          app.moreGraph = !app.moreGraph;
        },
      },
      "Graph options",
    ),
    h(
      "div",
      { class: "ce-row" },
      number(
        "Minimum confidence",
        asked.confidence ?? app.known.defaults.confidence,
        { min: 0, max: 1, step: 0.05 },
        (v) => again({ confidence: v, expanded: [] }),
      ),
      h(
        "label",
        {},
        h("input", {
          type: "checkbox",
          checked: asked.tests ?? true,
          onchange: (/** @type {any} */ e) => again({ tests: e.target.checked, expanded: [] }),
        }),
        " include tests",
      ),
      pick("Group by", app.known.groupings, asked.by ?? app.known.groupings[0], (by) => again({ by, opened: [] })),
      "Only",
      ...app.known.edges.map((/** @type {string} */ kind) =>
        h(
          "label",
          {},
          h("input", {
            type: "checkbox",
            "data-kind": kind,
            checked: kinds ? kinds.includes(kind) : false,
            onchange: (/** @type {any} */ e) => {
              const all = [...(kinds ?? [])].filter((each) => each !== kind);
              again({ kinds: e.target.checked ? [...all, kind] : all.length ? all : null, expanded: [] });
            },
          }),
          ` ${kind}`,
        ),
      ),
    ),
  );
  const find = h("input", {
    type: "search",
    placeholder: "Find in graph",
    "aria-label": "Find in graph",
    oninput: (/** @type {any} */ e) => {
      const text = e.target.value.toLowerCase();
      for (const each of list.options) each.hidden = !!text && !each.text.toLowerCase().includes(text);
      for (const box of svg.querySelectorAll(".ce-box"))
        box.classList.toggle(
          "ce-match",
          !!text && (box.querySelector("title")?.textContent ?? "").toLowerCase().includes(text),
        );
    },
    onkeydown: (/** @type {KeyboardEvent} */ e) => {
      if (e.key !== "Enter") return;
      const shown = [...list.options].filter((each) => !each.hidden),
        now = shown.findIndex((each) => each.selected);
      const next = shown[(now + 1) % shown.length];
      if (next) select(next.value);
    },
  });
  const said = h("div", { class: "ce-said" }, blocks(found.said)),
    drawing = h("div", { class: "ce-picture", title: "Drag to move; Ctrl and the wheel zoom" }, svg);
  if (asked.chosen) select(asked.chosen);
  const trail = asked.trail ?? [];
  const tools = h(
    "div",
    { class: "ce-row" },
    button("−", "Zoom out", () => fit(0.8), { "aria-label": "Zoom out" }),
    button("+", "Zoom in", () => fit(1.25), { "aria-label": "Zoom in" }),
    button("Fit", "Show all of it", () => fit(0)),
    asked.opened?.length
      ? button("Close groups", "Show the groups of the first view again", () => again({ opened: [] }))
      : null,
    found.list.length > 12 ? find : null,
    h("span", { class: "ce-row ce-picked", role: "group", "aria-label": "Chosen symbol" }, show, expand, begin),
  );
  return [
    h(
      "div",
      { class: "ce-row" },
      pick("Show", walks, asked.walk, (walk) => again({ walk, kinds: null, opened: [], expanded: [] })),
      number("Steps", asked.depth ?? 1, { min: 1, max: 10, disabled: !app.known.deep.includes(asked.walk) }, (depth) =>
        again({ depth: Math.max(1, Math.min(10, depth)), opened: [] }),
      ),
      trail.length
        ? button("Back to before", "The start before", () =>
            again({ symbol: trail.at(-1), trail: trail.slice(0, -1), opened: [], expanded: [] }),
          )
        : null,
      more,
    ),
    ...(asked.walk === "path" ? [tools, drawing, said] : [said, tools, drawing]),
    h("small", {}, `${counts(found)} Lines: solid is certain, thin likely, dashed possible.`),
    h("div", { class: "ce-row ce-reached" }, list),
    details,
  ];
}

/** How many symbols the list has at each distance, and how many boxes the picture has. @param {any} found */
function counts(found) {
  const at = new Map();
  for (const [, depth] of found.list) at.set(depth, (at.get(depth) ?? 0) + 1);
  const said = [...at].map(([depth, number]) =>
    depth > 0 ? `${number} at step ${depth}` : depth ? `${number} only possible` : `${number} at the start`,
  );
  const grouped = found.boxes.some((/** @type {any} */ box) => box.members);
  return `${found.list.length} symbols: ${said.join(", ")}. In the picture ${found.boxes.length} boxes${found.cut ? `, without ${found.cut} of them` : ""}${grouped ? "; a round one holds several symbols" : ""}.`;
}

/** @param {any} found @param {string | undefined} chosen @param {string[] | undefined} before
 * @param {(box: any) => void} press @param {App} app */
function picture(found, chosen, before, press, app) {
  const [wide, high] = found.size,
    width = Math.max(app.graphWidth(), 240),
    height = Math.min(780, Math.max(80, high + 40)); // as high as the longest column of boxes
  const id = `ce-arrow-${Math.random().toString(36).slice(2)}`;
  const layer = s("g");
  const svg = /** @type {SVGSVGElement} */ (
    s("svg", { class: "ce-svg", width, height, role: "group", "aria-label": found.title })
  );
  svg.append(
    s(
      "defs",
      {},
      s(
        "marker",
        { id, viewBox: "0 0 6 6", refX: 5, refY: 3, markerWidth: 7, markerHeight: 7, orient: "auto" },
        s("path", { d: "M0 0L6 3L0 6z", class: "ce-head" }),
      ),
    ),
    layer,
  );
  for (const [from, to, kind, title, sure] of found.links)
    layer.append(
      s(
        "path",
        {
          class: `ce-edge ce-${sure} ce-kind-${kind}`,
          d: curve(found.boxes[from], found.boxes[to]),
          "marker-end": `url(#${id})`,
        },
        s("title", {}, title),
      ),
    );
  for (const box of found.boxes) {
    const node = s(
      "g",
      {
        class: `ce-box${box.start ? " ce-start" : ""}${box.certain ? "" : " ce-unsure"}${box.test ? " ce-test" : ""}${before && !before.includes(box.id) ? " ce-new" : ""}`,
        tabindex: 0,
        role: "button",
        "data-id": box.id,
        transform: `translate(${box.x} ${box.y})`,
        "aria-label": box.title,
        "aria-pressed": box.members ? undefined : "false",
      },
      s("title", {}, box.title),
      s("rect", { x: -box.width / 2, y: -12, width: box.width, height: 24, rx: box.members ? 12 : 3 }),
      s("text", { "text-anchor": "middle", y: 4 }, box.label),
    );
    node.addEventListener("click", () => press(box));
    node.addEventListener("dblclick", () => box.members || app.open(box.id));
    node.addEventListener("keydown", (e) => {
      const key = /** @type {KeyboardEvent} */ (e).key;
      if (key !== "Enter" && key !== " ") return;
      e.preventDefault();
      e.stopPropagation();
      if (key === "Enter" && node.classList.contains("ce-chosen") && !box.members) app.open(box.id);
      else press(box);
    });
    layer.append(node);
  }
  let view = { x: 0, y: 0, k: 1 };
  const place = () => layer.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.k})`);
  const fit = (/** @type {number} */ by) => {
    if (by) view = zoomed(view, by, width / 2, height / 2);
    else {
      const k = Math.min(1, Math.max(0.82, (width - 16) / wide)); // type stays legible: a wider drawing is dragged
      const right = found.boxes.some((/** @type {any} */ box) => box.start && box.x > 0); // the start is in sight
      view = {
        k,
        x: wide * k <= width ? width / 2 : right ? width - 8 - (wide * k) / 2 : 8 + (wide * k) / 2,
        y: high * k > height ? 8 + (high * k) / 2 : height / 2,
      };
    }
    place();
  };
  fit(0);
  const shown = found.boxes.filter(
    (/** @type {any} */ box) => box.id === chosen || (before && !before.includes(box.id)),
  );
  if (shown.length) view = inSight(view, shown, { width, height }); // what was expanded, and what it added
  place();
  svg.addEventListener(
    "wheel",
    (e) => {
      if (!e.ctrlKey && !e.metaKey) return; // the page scrolls
      e.preventDefault();
      const at = svg.getBoundingClientRect();
      view = zoomed(view, e.deltaY < 0 ? 1.15 : 1 / 1.15, e.clientX - at.left, e.clientY - at.top);
      place();
    },
    { passive: false },
  );
  svg.addEventListener("pointerdown", (e) => {
    if (/** @type {Element} */ (e.target).closest(".ce-box")) return;
    const from = { x: e.clientX - view.x, y: e.clientY - view.y };
    svg.setPointerCapture(e.pointerId);
    const move = (/** @type {PointerEvent} */ to) => {
      view = { ...view, x: to.clientX - from.x, y: to.clientY - from.y };
      place();
    };
    svg.addEventListener("pointermove", move);
    svg.addEventListener("pointerup", () => svg.removeEventListener("pointermove", move), { once: true });
  });
  return { svg, fit };
}
