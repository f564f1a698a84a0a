// @ts-check
import { blocks, button, h } from "./dom.js";
/** @typedef {import("./main.js").App} App */

/** A switch and a slider for the weight of each lane. They show what the planner chose until they are moved.
 * @param {any[] | null} health @param {App} app @param {boolean} unused a text search has no lanes */
export function lanes(health, app, unused) {
  const { options, known } = app;
  return known.lanes.map((/** @type {any} */ [lane, words], /** @type {number} */ i) => {
    const [, planned, weight, said, failed] = health?.[i] ?? [lane, true, 1, "", false];
    const on = options.lanes ? options.lanes.includes(lane) : planned,
      now = options.weights?.[lane] ?? weight;
    const box = h("input", {
      type: "checkbox",
      role: "switch",
      checked: on,
      disabled: unused,
      "aria-label": words,
      onchange: (/** @type {any} */ e) => {
        const before = app.options.lanes ?? (health ?? []).filter((each) => each[1]).map((each) => each[0]);
        app.choose({
          lanes: e.target.checked ? [...before, lane] : before.filter((/** @type {string} */ each) => each !== lane),
        });
      },
    });
    const value = h("small", {}, `×${Number(now).toFixed(1)}`);
    const slide = h("input", {
      type: "range",
      min: 0,
      max: 3,
      step: 0.1,
      value: now,
      disabled: !on || unused,
      "aria-label": `Weight of ${words}`,
      title: "How much it counts",
      oninput: (/** @type {any} */ e) => {
        value.textContent = `×${Number(e.target.value).toFixed(1)}`;
        app.choose({ weights: { ...app.options.weights, [lane]: Number(e.target.value) } }, 120);
      },
    });
    return h(
      "span",
      { class: `ce-lane ce-of-${lane}` },
      h("label", {}, box, " ", words, " ", h("small", {}, `(${lane})`)),
      slide,
      value,
      h("small", { class: failed ? "ce-bad ce-health" : "ce-health" }, said),
    );
  });
}

/** All other options of a search. @param {App} app */
export function more(app) {
  const { options, known } = app;
  const text = (/** @type {string} */ label, /** @type {string} */ key, /** @type {any} */ props) =>
    h(
      "label",
      {},
      label,
      " ",
      h("input", {
        value: options[key] ?? "",
        ...props,
        onchange: (/** @type {any} */ e) =>
          app.choose({ [key]: props.type === "number" ? Number(e.target.value) || null : e.target.value }),
      }),
    );
  const check = (/** @type {string} */ label, /** @type {string} */ key, /** @type {boolean} */ usual) =>
    h(
      "label",
      {},
      h("input", {
        type: "checkbox",
        checked: options[key] ?? usual,
        onchange: (/** @type {any} */ e) => app.choose({ [key]: e.target.checked }),
      }),
      ` ${label}`,
    );
  const pick = (/** @type {string} */ label, /** @type {string} */ key, /** @type {any[]} */ all) =>
    h(
      "label",
      {},
      label,
      " ",
      h(
        "select",
        { onchange: (/** @type {any} */ e) => app.choose({ [key]: e.target.value }) },
        ...all.map(([title, value]) =>
          h("option", { value, selected: String(options[key] ?? "") === String(value) }, title),
        ),
      ),
    );
  const auto = ["automatic", ""],
    same = (/** @type {any[]} */ all) => all.map((each) => [each, each]);
  return h(
    "div",
    { class: "ce-row ce-options" },
    pick("Relation", "relation", [auto, ...same(known.relations)]),
    pick("Direction", "direction", [auto, ["towards it", "in"], ["away from it", "out"], ["both", "both"]]),
    pick("Depth", "depth", [auto, ...same([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])]),
    pick("Fusion", "fusion", [["rrf (usual)", ""], ...same(known.fusions.slice(1))]),
    text("rrf_k", "rrf_k", { type: "number", min: 1, max: 1000, placeholder: known.defaults.rrf_k }),
    text("Hits", "top_k", { type: "number", min: 1, max: 200, placeholder: known.defaults.top_k }),
    text("File paths", "paths", { placeholder: "src/**, *_api.py" }),
    pick("Language", "language", [["all", ""], ...known.languages]),
    check("one per file", "one_per_file", false),
    check("include tests", "tests", true),
    button("Reset to automatic", "Undo your choices: the program chooses for each question again", () => app.reset()),
  );
}

const TITLES = /** @type {Record<string, [string, string]>} */ ({
  question: ["Question", "What is a word?"],
  reading: ["Query plan", "What is a query plan?"],
  lanes: ["Lanes", "What is a lane?"],
  fusion: ["Fusion", "What is fusion?"],
  signals: ["Signals", "What is a signal?"],
  ranking: ["Ranking", "What is the ranking?"],
});

/** Every step of the search with its numbers. @param {any} answer @param {App} app */
export function lab(answer, app) {
  return h(
    "ol",
    { class: "ce-lab", "aria-label": "Steps of the search" },
    ...answer.steps.map((/** @type {any} */ [name, numbers, about], /** @type {number} */ i) =>
      h(
        "li",
        { class: "ce-step" },
        h("b", {}, `${i + 1} ${TITLES[name][0]}`),
        " ",
        blocks(numbers),
        h(
          "details",
          { open: app.folds.has(name) },
          h(
            "summary",
            { onclick: () => (app.folds.has(name) ? app.folds.delete(name) : app.folds.add(name)) },
            TITLES[name][1],
          ),
          blocks(about),
        ),
      ),
    ),
  );
}
