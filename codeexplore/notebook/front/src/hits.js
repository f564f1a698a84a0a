// @ts-check
import { blocks, button, h } from "./dom.js";
import { pieces } from "./source.js";
import { lastPart } from "./state.js";
/** @typedef {import("./main.js").App} App */

const LANES = ["bm25", "embedding", "graph"];
const lane = (/** @type {string} */ name) =>
  LANES.find((each) => name === each || name.endsWith(`-${each}`)) ?? "signal";

/** One hit: symbol, place, signature, first sentence of its documentation, and a bar of why.
 * @param {any} row @param {App} app */
export function hit(row, app) {
  const name = button("", "Open its source", () => app.open(row.target, { site: row.site }), {
    class: "ce-hit-name",
    "data-target": row.target,
  });
  const cut = lastPart(row);
  name.append(h("small", {}, row.name.slice(0, cut)), h("b", {}, row.name.slice(cut)));
  const bars = (row.bars ?? []).map((/** @type {any} */ [source, share]) =>
    h("i", { class: `ce-share ce-of-${lane(source)}`, style: `width:${(share * 100).toFixed(1)}%`, title: source }),
  );
  const reason = h("div", { class: "ce-reason" });
  const why =
    row.bars &&
    button(
      "why",
      "Show how the score adds up",
      async () => {
        const shut = why.getAttribute("aria-expanded") === "true";
        why.setAttribute("aria-expanded", String(!shut));
        app.whys[shut ? "delete" : "add"](row.target); // it stays open when a lane or a weight changes
        if (shut) return reason.replaceChildren();
        const said = await app.tried(app.ask("why", { rank: row.rank }));
        if (said)
          reason.replaceChildren(
            h("div", {}, "The largest part of the score is ", h("b", {}, said.largest)),
            h("small", {}, said.note),
            h("code", { class: "ce-sum" }, said.sum),
            blocks(said.html),
          );
      },
      { class: "ce-why", "aria-expanded": "false", "aria-label": `Why hit ${row.rank}` },
    );
  if (why && (app.options.explain || app.whys.has(row.target))) why.click();
  return h(
    "li",
    { class: "ce-hit" },
    h(
      "div",
      { class: "ce-hit-head" },
      h("span", { class: "ce-rank" }, `${row.rank}`),
      h(
        "div",
        {},
        name,
        " ",
        h("small", {}, `${row.kind} ${row.place}`),
        " ",
        row.role && h("em", {}, row.role),
        moved(row),
      ),
    ),
    row.signature && h("code", { class: "ce-signature" }, row.signature),
    row.doc && h("div", { class: "ce-doc" }, row.doc),
    ...(row.lines ?? []).map((/** @type {any} */ [number, parts]) =>
      h("code", { class: "ce-signature" }, `${number}  `, ...pieces(parts, app)),
    ),
    h(
      "div",
      { class: "ce-hit-why" },
      row.bars && h("span", { class: "ce-bars", "aria-hidden": "true" }, ...bars),
      h("small", { class: "ce-sentence" }, row.why),
      why || null,
    ),
    reason,
  );
}

/** Where a hit was when its question was asked. @param {any} row */
const moved = (row) =>
  row.was === undefined || row.was === row.rank
    ? null
    : h("small", { class: "ce-moved" }, !row.was ? "new" : `${row.was > row.rank ? "▲" : "▼"} was ${row.was}`);

/** What the choices of the user have changed since the question was asked, with the hits that are gone.
 * @param {any[]} rows @param {any[]} gone @param {App} app */
export function changes(rows, gone, app) {
  const count = (/** @type {(row: any) => boolean} */ those) => rows.filter(those).length;
  const said = [
    [count((row) => !row.was), "new"],
    [count((row) => row.was > row.rank), "moved up"],
    [count((row) => row.was && row.was < row.rank), "moved down"],
    [gone.length, "gone"],
  ].flatMap(([number, how]) => (number ? [`${number} ${how}`] : []));
  return h(
    "div",
    { class: "ce-row ce-changes" },
    `Other than when you asked: ${said.join(", ") || "nothing; they are the same, in the same order"}${gone.length ? ":" : "."}`,
    ...gone.map((row) =>
      button(`${row.name.slice(lastPart(row)).slice(-40)} (was ${row.rank})`, row.name, () => app.open(row.target)),
    ),
  );
}

/** What must be known before the hits: the verdict in its own words, confidence, notices, and next steps as buttons.
 * @param {any} answer @param {App} app */
export function notices(answer, app) {
  const verdict =
    answer.verdict &&
    h(
      "p",
      { class: `ce-verdict ce-${answer.verdict.kind}` },
      h(
        "b",
        {},
        { found: "found", none: "none", possible: "may be", unknown: "unknown" }[
          /** @type {string} */ (answer.verdict.kind)
        ] ?? "",
      ),
      " ",
      answer.verdict.text,
    );
  return [
    answer.words && h("p", { class: answer.confidence === "none" ? "ce-verdict ce-none" : "ce-verdict" }, answer.words),
    verdict,
    ...(answer.notices ?? []).map((/** @type {string} */ said) => h("p", { class: "ce-dim" }, said)),
    answer.steps?.length
      ? h("div", { class: "ce-row" }, ...answer.steps.map((/** @type {any} */ step) => app.stepButton(step)))
      : null,
  ].filter(Boolean);
}
