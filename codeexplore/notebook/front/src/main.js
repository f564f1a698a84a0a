// @ts-check
// @ts-expect-error: esbuild makes it a string
import theme from "../../../answers/html/theme.css";
// @ts-expect-error: as above
import css from "./explorer.css";
import { lab, lanes, more } from "./controls.js";
import { blocks, button, copyText, h } from "./dom.js";
import { graphView } from "./graph.js";
import { changes, hit, notices } from "./hits.js";
import { rpc, unpack } from "./rpc.js";
import { sourceView } from "./source.js";
import { chosen, grepOf, moves, Places } from "./state.js";
import { lastWord, match, parse } from "./typeahead.js";
/** @typedef {any} App */

/** @param {{model: import("./rpc.js").Model, el: HTMLElement, signal: AbortSignal}} context */
async function render({ model, el, signal }) {
  const ask = rpc(model, signal, told);
  const places = new Places([...(model.get("history") ?? [])]);
  let turn = 0,
    opens = 0,
    walks = 0,
    firstPlace = 0, // of those opened since the question was asked; -1: none
    resizeTimer = 0,
    drawnWidth = 0,
    askTimer = 0,
    freshTimer = 0,
    pause = 2000,
    shownPlace = "",
    answeredQuestion = "";
  /** @type {ReturnType<typeof parse>} */
  let names = [];
  /** @type {Promise<void> | null} */
  let coming = null;
  /** @type {string[]} */
  const asked = [];
  /** @type {any} */
  let answer = null;
  /** @type {any} */
  let shownWalk = null;
  /** The first answer to the question, and its options. @type {any} */
  let begun = null;
  /** The walk of the answer. @type {any} */
  let answerWalk = null;

  // ---------------------------------------------------------------- elements
  const input = /** @type {HTMLInputElement} */ (
    h("input", {
      type: "text",
      class: "ce-ask-input",
      role: "combobox",
      "aria-label": "Question or name",
      "aria-expanded": "false",
      "aria-autocomplete": "list",
      "aria-controls": `ce-names-${ids()}`,
      autocomplete: "off",
      spellcheck: "false",
      placeholder: "a name, “what calls …?”, a description, /text or /regex/",
    })
  );
  const list = h("ul", {
    class: "ce-names",
    role: "listbox",
    id: input.getAttribute("aria-controls"),
    "aria-label": "Names",
  });
  const report = /** @type {HTMLTextAreaElement} */ (
    h("textarea", {
      rows: 8,
      "aria-label": "Bug report",
      placeholder: "an issue, an error message or a stack trace",
      hidden: true,
    })
  );
  const title = h("span", { class: "ce-title" });
  const status = h("div", { class: "ce-status", role: "status", "aria-live": "polite" });
  const alert = h("div", { class: "ce-alert" });
  const stale = h("div", { class: "ce-stale" });
  const laneRow = h("div", { class: "ce-row ce-lanes" });
  const moreBox = h("div"),
    codeBox = h("div", { class: "ce-code-box" }),
    openBox = h("div"),
    viewBox = h("div", { class: "ce-view" }),
    compareBox = h("div", { class: "ce-compare" });
  const top = h("div", { class: "ce-found" }),
    rows = h("ol", { class: "ce-rows", "aria-label": "Hits" });
  const side = h("div", { class: "ce-side" }),
    source = h("div", { class: "ce-open" }),
    graph = h("div", { class: "ce-graph" });
  const peek = h("div", { class: "ce-peek", role: "tooltip" });
  const mode = {
    lab: button(
      "Lab",
      "Every step of the search with its numbers and controls",
      () => setView(model.get("options").view === "lab" ? "ask" : "lab"),
      { "aria-pressed": "false" },
    ),
  };
  const tabs = h(
    "div",
    { class: "ce-tabs", role: "group", "aria-label": "Show" },
    button("Hits", "Show the hits", () => tab("hits")),
    button("Source and graph", "Show the source and the graph", () => tab("side")),
  );
  const views = h("span", { class: "ce-row ce-heading-buttons" });
  const root = h(
    "div",
    { class: "ce-root" },
    h("style", {}, theme, css),
    h("div", { class: "ce-row ce-heading" }, title, views),
    openBox,
    h(
      "div",
      { class: "ce-ask" },
      input,
      button("Ask", "Ask this question (Enter)", () => search()),
      button("Paste a report", "Open a larger box for text of several lines, such as a stack trace", () => paste(), {
        class: "ce-paste",
        "aria-pressed": "false",
      }),
      list,
    ),
    report,
    laneRow,
    moreBox,
    codeBox,
    viewBox,
    h("div", { class: "ce-state" }, status, alert, stale),
    tabs,
    h("div", { class: "ce-body" }, h("div", { class: "ce-hits" }, compareBox, top, rows), side),
    peek,
  );
  side.append(source, graph);
  el.append(root);

  /** @type {any} */
  const app = {
    ask,
    peek,
    known: null,
    options: { ...model.get("options") },
    folds: new Set(),
    whys: new Set(),
    moreGraph: false,
    open,
    step,
    close,
    walk,
    choose,
    tried,
    stepButton,
    showPeek,
    hide: () => peek.classList.remove("on"),
    copy: (/** @type {string} */ text) => {
      say(copyText(text) ? "Copied." : "The browser refused to copy: select the text and press Ctrl+C.");
    },
    ahead: () => places.at < places.all.length - 1,
    graphWidth: () => (graph.clientWidth || side.clientWidth || root.clientWidth) - 4,
    reset: () => {
      const { view, explain } = app.options;
      app.options = chosen({ view, explain });
      save({ options: app.options });
      search();
      drawControls();
    },
  };

  // ---------------------------------------------------------------- words
  function say(text = "", busy = false) {
    status.textContent = text;
    status.classList.toggle("ce-busy", busy);
  }
  /** @param {any} error @param {any[]} ways */
  function fail(error, ...ways) {
    say();
    for (const part of [top, rows, source, graph]) part.classList.remove("ce-old");
    alert.replaceChildren(
      h(
        "div",
        { role: "alert", class: "ce-bad" },
        h("span", {}, `⚠ ${error.message ?? error}`),
        ...(error.steps ?? []).map(stepButton),
        ...ways.filter(Boolean),
        !model.get("title") && button("Open…", "Open a repository", openForm),
        /kernel/.test(error.message) && button("Try again", "Ask once more", () => start()),
      ),
    );
  }
  /** @param {Promise<any>} call @param {() => void} [again] */
  async function tried(call, again) {
    try {
      return await call;
    } catch (error) {
      fail(
        error,
        again && !(/** @type {any} */ (error).steps?.length) ? button("Try again", "Try once more", again) : null,
      );
      return null;
    }
  }
  function stepButton(/** @type {any} */ step) {
    const acts = /** @type {Record<string, () => void>} */ ({
      ask: () => {
        input.value = step.argument || input.value;
        search();
      },
      grep: () => {
        input.value = `/${step.argument}`;
        search();
      },
      source: () => open(step.argument),
      refresh: () => renew(),
    });
    return acts[step.kind]
      ? button(
          step.label,
          step.does || "The next step",
          () => {
            alert.replaceChildren();
            acts[step.kind]();
          },
          { class: "ce-next" },
        )
      : button(`Copy: ${step.label}`, "Copy this call, to run it in a cell", () => app.copy(step.label.split(" ")[0]), {
          class: "ce-next",
        });
  }
  function save(/** @type {Record<string, any>} */ changes) {
    for (const [key, value] of Object.entries(changes)) model.set(key, value);
    try {
      model.save_changes();
    } catch {
      /* the next request says that the kernel is gone */
    }
  }
  /** Replace the children of an element; the focus stays on the control of the same name. */
  function refill(/** @type {HTMLElement} */ box, /** @type {Node[]} */ ...children) {
    const named = (/** @type {any} */ each) =>
      `${each.dataset.key ?? each.getAttribute("aria-label") ?? each.closest("label")?.firstChild?.textContent ?? each.textContent}`;
    const on = box.contains(deepFocus()) ? deepFocus() : null,
      name = on && named(on);
    box.replaceChildren(...children);
    if (!on) return;
    const all = /** @type {any[]} */ ([...box.querySelectorAll("button, input, select, summary, [tabindex]")]);
    (all.find((each) => named(each) === name && !each.disabled) ?? all.find((each) => !each.disabled))?.focus();
  }
  function showPeek(/** @type {HTMLElement} */ link, /** @type {HTMLElement} */ what) {
    peek.replaceChildren(what);
    Object.assign(peek.style, { left: "0", top: "0" });
    peek.classList.add("on");
    const at = link.getBoundingClientRect(),
      frame = root.getBoundingClientRect(),
      below = at.bottom - frame.top + 2,
      over = at.top - frame.top - peek.offsetHeight - 2; // where there is no room below
    Object.assign(peek.style, {
      left: `${Math.max(0, Math.min(at.left - frame.left, frame.width - peek.offsetWidth - 4))}px`,
      top: `${below + peek.offsetHeight > frame.height && over > 0 ? over : below}px`,
    });
  }

  // ---------------------------------------------------------------- search as one types
  async function load() {
    coming ??= ask("names")
      .then(async (a) => {
        names = parse(await unpack(a.buffers[0]));
      })
      .catch(() => {
        coming = null;
      });
    await coming;
  }
  let at = -1,
    typed = 0;
  async function suggest() {
    const text = input.value,
      mine = ++typed;
    if (!names.length) await load();
    if (mine !== typed) return; // more was typed, or the question was asked
    const [before, word] = text.startsWith("/") ? ["", ""] : lastWord(text);
    const found = word.length > 1 || (!before && word) ? match(names, word, 10) : [];
    const past = asked.filter((each) => each !== text && each.toLowerCase().includes(text.toLowerCase())).slice(0, 3);
    at = -1;
    list.replaceChildren(
      ...found.map((n) =>
        option(() => (before.trim() ? complete(before + n.fqn) : (shut(), open(n.id))), n.fqn, n.kind),
      ),
      ...(text ? past : []).map((each) =>
        option(
          () => {
            complete(each);
            search();
          },
          each,
          "asked before",
        ),
      ),
    );
    expanded(list.childElementCount > 0);
  }
  function option(/** @type {() => void} */ act, /** @type {string} */ text, /** @type {string} */ kind) {
    return h(
      "li",
      {
        role: "option",
        id: `ce-name-${ids()}`,
        "aria-selected": "false",
        onmousedown: (/** @type {Event} */ e) => {
          e.preventDefault();
          act();
        },
        onclick: () => {},
      },
      h("span", {}, text),
      h("small", {}, kind),
    );
  }
  function complete(/** @type {string} */ text) {
    input.value = text;
    shut();
    input.focus();
  }
  function shut() {
    typed++;
    at = -1;
    list.replaceChildren();
    expanded(false);
  }
  function expanded(/** @type {boolean} */ is) {
    input.setAttribute("aria-expanded", String(is));
    input.removeAttribute("aria-activedescendant");
  }
  function move(/** @type {number} */ by) {
    const all = [...list.children];
    at = Math.max(-1, Math.min(all.length - 1, at + by));
    all.forEach((each, i) => each.setAttribute("aria-selected", String(i === at)));
    at >= 0 ? input.setAttribute("aria-activedescendant", all[at].id) : input.removeAttribute("aria-activedescendant");
  }

  // ---------------------------------------------------------------- questions
  async function search() {
    const mine = ++turn,
      question = report.hidden ? input.value.trim() : report.value.trim();
    clearTimeout(askTimer);
    shut();
    app.hide();
    alert.replaceChildren();
    stale.replaceChildren();
    save({ question });
    if (question !== answeredQuestion) tab("hits"); // where there is room for one part, the answer is it
    if (!question) {
      answeredQuestion = "";
      answer = null;
      root.classList.add("ce-empty");
      rows.replaceChildren();
      compareBox.replaceChildren();
      clearGraph();
      say();
      drawControls();
      return invite();
    }
    root.classList.remove("ce-empty");
    say("Searching …", true);
    for (const part of [top, rows, graph]) part.classList.add("ce-old");
    const text = grepOf(question);
    try {
      const found = await (text ? ask("grep", text) : ask("search", { question, options: app.options }));
      if (mine !== turn) return;
      if (report.hidden && !asked.includes(question)) asked.unshift(question);
      answer = { ...found, grep: !!text };
      const options = JSON.stringify({ ...app.options, view: "", explain: "" });
      if (question !== answeredQuestion || !begun) begun = { rows: found.rows, options };
      const gone = options !== begun.options && !text ? moves(begun.rows, found.rows) : null;
      if (question !== answeredQuestion) {
        source.replaceChildren(); // it belongs to the answer before
        firstPlace = -1;
      }
      answeredQuestion = question;
      say(text ? `${found.said} (${found.took} ms)` : `${found.said} in ${found.took} ms`);
      top.replaceChildren(
        ...notices(found, app),
        ...(gone ? [changes(found.rows, gone, app)] : []),
        ...(found.reading ? [h("div", { class: "ce-reading" }, blocks(found.reading))] : []),
      );
      rows.replaceChildren(...found.rows.map((/** @type {any} */ row) => hit(row, app)));
      if (codeBox.childElementCount) showCode();
      if (!found.rows.length && !found.verdict) rows.append(h("li", {}, text ? "No file contains it." : "No hits."));
      if (!found.rows.length && text && !text.regex && /[\\^$.*+?()[\]{}|]/.test(text.pattern)) {
        const regex = () => {
          input.value = `/${text.pattern}/`;
          search();
        };
        rows.append(h("li", {}, button("Search it as a regular expression", "Find what the pattern matches", regex)));
      }
      for (const part of [top, rows]) part.classList.remove("ce-old");
      choices(found);
      drawControls();
      if (text || !found.start) {
        clearGraph();
      } else {
        answerWalk = { symbol: found.start, walk: found.walk, depth: found.depth, target: found.target };
        walk(answerWalk);
      }
      watch(2000);
    } catch (error) {
      if (mine !== turn) return;
      answer = null;
      for (const part of [top, rows]) part.replaceChildren();
      clearGraph();
      drawControls();
      const plain = () => {
        input.value = `/${text?.pattern}`;
        search();
      };
      fail(
        error,
        text?.regex && button("Search for the text as it is", "Without a regular expression", plain),
        Object.keys(app.options).some((key) => key !== "view" && key !== "explain") &&
          button("Reset to automatic", "Undo your choices and ask again", () => app.reset()),
      );
    }
  }
  function choices(/** @type {any} */ found) {
    if (!found.choices?.length) return;
    const all = found.choices.map((/** @type {any} */ each) => each[0]);
    const begin = (/** @type {string[]} */ those) =>
      walk({ symbol: those[0], others: those.slice(1), walk: found.walk, depth: found.depth });
    top.append(
      h(
        "div",
        { class: "ce-row ce-choices" },
        "The name may mean:",
        ...found.choices
          .slice(0, 8)
          .map((/** @type {any} */ [id, name, place]) =>
            button(`${name} (${place})`, "Show its graph", () => begin([id])),
          ),
        button(`All ${all.length}`, "Show the graph around all of them", () => begin(all)),
      ),
    );
  }
  function choose(/** @type {any} */ change, wait = 0) {
    app.options = chosen({ ...app.options, ...change });
    save({ options: app.options });
    clearTimeout(askTimer);
    if (input.value.trim() || report.value.trim()) askTimer = setTimeout(search, wait);
  }
  function invite() {
    top.replaceChildren(
      h(
        "p",
        {},
        model.get("title")
          ? `Type a name or a question${app.known.starters.length ? ", or start with one of these:" : "."}`
          : "Open a repository to ask about it.",
      ),
      h(
        "div",
        { class: "ce-row ce-starters" },
        ...app.known.starters.map((/** @type {string} */ each) =>
          button(each, "Ask this question", () => {
            input.value = each;
            search();
          }),
        ),
      ),
      blocks(app.known.summary),
    );
    top.classList.remove("ce-old");
  }

  // ---------------------------------------------------------------- places
  async function open(/** @type {string} */ target, { keep = true, first = 0, site = 0 } = {}) {
    const mine = ++opens;
    app.hide();
    alert.replaceChildren();
    source.classList.add("ce-old");
    const said = status.textContent ?? "",
      opening = "Opening the source …";
    if (!status.classList.contains("ce-busy")) say(opening, true);
    const found = await tried(ask("source", { target, first }), () => open(target, { keep, first, site }));
    if (status.textContent === opening && mine === opens) say(said === opening ? "" : said);
    if (!found || mine !== opens) return source.classList.remove("ce-old");
    if (keep) places.go(target);
    if (keep && firstPlace < 0) firstPlace = places.at - (source.childElementCount ? 1 : 0);
    save({ history: places.all });
    shownPlace = found.row.target;
    source.classList.remove("ce-old");
    source.replaceChildren(...sourceView(found, app, site));
    tab("side");
    for (const each of rows.querySelectorAll(".ce-hit-name"))
      each.closest("li")?.classList.toggle("ce-current", /** @type {HTMLElement} */ (each).dataset.target === target);
    const line = /** @type {HTMLElement | null} */ (source.querySelector(".ce-site") ?? source.querySelector(".ce-at")),
      code = /** @type {HTMLElement} */ (source.querySelector(".ce-source"));
    if (line && line.offsetTop > code.clientHeight) code.scrollTop = line.offsetTop - 40;
    if (!first) code.focus({ preventScroll: true });
    if (codeBox.childElementCount) showCode();
    if (found.row.kind !== "text" && found.row.kind !== "module")
      walk({ symbol: found.row.target, walk: answer?.walk && answer.walk !== "path" ? answer.walk : "callers" }, false);
  }
  function step(/** @type {number} */ by) {
    const first = by < 0 && source.childElementCount && places.at === firstPlace;
    const place = first ? "" : places.step(by);
    if (place) open(place, { keep: false });
    else if (by < 0) close();
  }
  function close() {
    source.replaceChildren();
    shownPlace = "";
    save({ place: "" });
    tab("hits");
    const current = rows.querySelector(".ce-current .ce-hit-name") ?? rows.querySelector(".ce-hit-name") ?? input;
    /** @type {HTMLElement} */ (current).focus();
    if (answerWalk && answerWalk.symbol !== shownWalk?.symbol) walk(answerWalk, false); // that of the answer again
  }
  function tab(/** @type {"hits" | "side"} */ which) {
    root.classList.toggle("ce-show-side", which === "side");
    [...tabs.children].forEach((each, i) =>
      each.setAttribute("aria-pressed", String((which === "side") === (i === 1))),
    );
  }
  /** Without a graph nothing draws it again: no other width, no answer that is on its way. */
  function clearGraph() {
    walks++;
    shownWalk = answerWalk = null;
    graph.replaceChildren();
    graph.classList.remove("ce-old");
  }
  /** @param {any} wanted */
  async function walk(wanted, says = true) {
    const mine = ++walks,
      { grown, before, ...shown } = wanted,
      { trail: _, chosen: __, ...args } = shown;
    graph.classList.add("ce-old");
    drawnWidth = app.graphWidth();
    shownWalk = shown;
    try {
      const found = await ask("graph", { ...args, width: drawnWidth });
      if (mine !== walks) return;
      refill(graph, ...graphView(shown, found, app, before));
      if (grown) say(grown(found.list.length));
      if (before) graph.querySelector(".ce-picture")?.scrollIntoView({ block: "nearest" });
      if (codeBox.childElementCount) showCode();
    } catch (error) {
      if (mine !== walks) return;
      graph.replaceChildren();
      shownWalk = null;
      if (says)
        fail(
          error,
          button("Try again", "Draw it once more", () => walk(wanted)),
        );
    }
    graph.classList.remove("ce-old");
  }

  // ---------------------------------------------------------------- heading, lab, comparison
  function paste() {
    report.hidden = !report.hidden;
    input.disabled = !report.hidden;
    root.querySelector(".ce-paste")?.setAttribute("aria-pressed", String(!report.hidden));
    report.hidden ? input.focus() : report.focus();
  }
  function setView(/** @type {string} */ view) {
    app.options = { ...app.options, view };
    save({ options: app.options });
    drawControls();
  }
  /** Who chose the lanes, and why: they move with the question. */
  function laneNote(/** @type {boolean} */ mine) {
    if (!answer) return "";
    if (answer.grep) return "A text search uses none of these. Case counts, but not in /regex/i.";
    return mine ? "Your choice, for every question." : answer.lanes && `Chosen for this question: ${answer.lanes}.`;
  }
  async function drawControls() {
    const isLab = app.options.view === "lab";
    mode.lab.setAttribute("aria-pressed", String(isLab));
    root.classList.toggle("ce-in-lab", isLab);
    const mine = ["lanes", "weights", "relation", "direction", "depth"].some((key) => app.options[key]);
    refill(
      laneRow,
      ...lanes(answer?.health ?? null, app, !!answer?.grep),
      h(
        "span",
        { class: "ce-lane ce-of-signal", title: "Names, files and how well the text fits, as “why” lists them" },
        "other evidence",
      ),
      h("small", { class: "ce-chosen-by" }, laneNote(mine)),
      ...(mine && !isLab ? [button("Reset to automatic", "Undo your choices", () => app.reset())] : []),
    );
    if (!isLab) {
      moreBox.replaceChildren();
      compareBox.replaceChildren();
      return;
    }
    refill(moreBox, more(app));
    if (!answer || answer.grep) return compareBox.replaceChildren();
    const steps = await tried(ask("lab"), drawControls);
    if (!steps) return;
    const shown = h("div"),
      before = app.comparing ?? "";
    const compared = async (/** @type {string} */ other) => {
      app.comparing = other;
      if (!other) return shown.replaceChildren();
      const found = await tried(ask("compare", { other }), () => compared(other));
      if (found) shown.replaceChildren(blocks(found.html));
    };
    refill(
      compareBox,
      lab(steps, app),
      h(
        "div",
        { class: "ce-row" },
        h(
          "label",
          {},
          "Compare with ",
          h(
            "select",
            { onchange: (/** @type {any} */ e) => compared(e.target.value) },
            h("option", { value: "" }, "nothing"),
            ...app.known.others.map((/** @type {string} */ each) =>
              h("option", { value: each, selected: each === before }, each),
            ),
          ),
        ),
        button("Keep to compare", "Compare later answers with this one", async () => {
          if (await tried(ask("keep"))) say("Kept: choose “the answer you kept”.");
        }),
      ),
      shown,
    );
    if (before) compared(before);
  }
  const deepFocus = () =>
    /** @type {HTMLElement | null} */ (/** @type {any} */ (root.getRootNode()).activeElement ?? null);
  async function showCode() {
    const found = await tried(ask("code"), showCode);
    if (found)
      codeBox.replaceChildren(
        h("pre", { tabindex: 0, role: "region", "aria-label": "Python code" }, found.code),
        button("Copy", "Copy this code into a cell", () => app.copy(found.code)),
      );
  }
  function toggle(/** @type {HTMLElement} */ box, /** @type {() => void} */ fill) {
    box.childElementCount ? box.replaceChildren() : fill();
  }
  function openForm() {
    const where = /** @type {HTMLInputElement} */ (
      h("input", {
        type: "text",
        class: "ce-where",
        placeholder: "a folder, an installed package, or a git URL",
        "aria-label": "Repository",
      })
    );
    const progress = h("progress", { max: 1, value: 0, "aria-label": "Progress" }),
      stage = h("small", { class: "ce-stage" });
    const stop = /** @type {HTMLButtonElement} */ (
      button("Cancel", "Stop loading; the open repository stays open", () => ask("cancel"), { disabled: true })
    );
    const load = async () => {
      alert.replaceChildren();
      stop.disabled = false;
      stage.textContent = "starting";
      try {
        await ask("open", { where: where.value }, 3600e3);
        openBox.replaceChildren();
        names = [];
        coming = null;
        places.all = [];
        places.at = -1;
        source.replaceChildren();
        await start();
      } catch (error) {
        stop.disabled = true;
        stage.textContent = "";
        /cancelled/.test(/** @type {any} */ (error).message) ? say(/** @type {any} */ (error).message) : fail(error);
      }
    };
    where.addEventListener("keydown", (e) => {
      if (e.key === "Enter") {
        e.stopPropagation();
        load();
      }
    });
    openBox.replaceChildren(
      h("div", { class: "ce-row ce-load" }, where, button("Load", "Load this repository", load), stop, progress, stage),
    );
    where.focus();
  }
  function heading() {
    const { known } = app;
    title.replaceChildren(
      "Explore ",
      h("b", {}, model.get("title") || "nothing"),
      h("small", {}, known.size ? ` · ${known.size}` : " · no repository is open"),
    );
    refill(
      views,
      ...(known.pins
        ? [
            button("Remove pins", "Remove what is saved under the explorer", async () => {
              if (!(await tried(ask("unpin")))) return;
              known.pins = false;
              heading();
              say("Pins removed.");
            }),
          ]
        : []),
      mode.lab,
      button("Open…", "Open another repository", () => toggle(openBox, openForm)),
      ...known.views.map((/** @type {any} */ each) => button(each.title, each.tip, () => showView(each.key))),
      button("Python code", "Show Python code that computes this view again", () => toggle(codeBox, showCode)),
      button("Pin", "Save this answer under the explorer, as part of the notebook", async () => {
        const found = await tried(ask("pin"));
        if (!found) return;
        known.pins = true;
        heading();
        for (let i = 0; i < 40 && !document.getElementsByClassName(found.place).length; i++)
          await new Promise((done) => setTimeout(done, 100));
        const pin = document.getElementsByClassName(found.place)[0];
        pin?.scrollIntoView({ block: "nearest" });
        pin
          ? say(
              `Pinned below. Save the notebook to keep it.${found.lost && ` A further run of the cell removes it: ${found.lost}.`}`,
            )
          : fail({
              message:
                "This page was loaded after the cell ran, so it can't show the pin. Run the cell again: it has the pin.",
            });
      }),
    );
  }
  async function showView(/** @type {string} */ key) {
    if (viewBox.dataset.key === key) {
      viewBox.dataset.key = "";
      return viewBox.replaceChildren();
    }
    say("Working …", true);
    const found = await tried(ask("view", { key }, 600e3), () => showView(key));
    say();
    if (!found) return;
    viewBox.dataset.key = found.html ? key : "";
    viewBox.replaceChildren(blocks(found.html));
  }

  // ---------------------------------------------------------------- newer files
  function watch(/** @type {number} */ wait) {
    clearTimeout(freshTimer);
    pause = wait;
    freshTimer = setTimeout(async () => {
      if (!answer || answer.grep) return;
      const began = performance.now(),
        mine = turn;
      const found = await ask("fresh").catch(() => null);
      if (!found || mine !== turn) return;
      if (found.again) return search();
      stale.replaceChildren(
        ...(found.text
          ? [
              h("span", {}, found.text),
              found.step ? button(found.step, "Load the changed files and ask again", () => renew()) : "",
            ]
          : []),
      );
      watch(
        /graph is ready/.test(found.text)
          ? 500
          : Math.min(Math.max(2 * pause, 20 * (performance.now() - began)), 30000),
      );
    }, wait);
  }
  async function renew() {
    say("Loading the changed files …", true);
    if (await tried(ask("refresh", {}, 3600e3), renew)) {
      names = [];
      coming = null;
      await search();
      if (places.now && source.childElementCount) open(places.now, { keep: false });
    }
  }
  function told(/** @type {any} */ event) {
    const stage = root.querySelector(".ce-stage"),
      bar = /** @type {HTMLProgressElement | null} */ (root.querySelector("progress"));
    if (event.event === "progress" && stage && bar) {
      stage.textContent = `${event.stage}${event.total > 1 ? ` ${event.done} of ${event.total}` : ""}`;
      bar.value = event.total ? event.done / event.total : 0;
    }
    if (event.event === "slow" && event.is)
      stale.replaceChildren(
        "The kernel has not answered yet: it is busy, or it was restarted. After a restart, run the cell again.",
      );
    else if (event.event === "slow") stale.replaceChildren();
    if (event.event === "code" && codeBox.childElementCount) showCode();
    if (event.event === "failed") fail({ message: event.error, steps: event.steps });
  }

  // ---------------------------------------------------------------- keys
  input.addEventListener("focus", load, { once: true });
  input.addEventListener("input", (e) => {
    if (!(/** @type {InputEvent} */ (e).isComposing)) suggest();
  });
  input.addEventListener("compositionend", () => suggest());
  input.addEventListener("blur", () => setTimeout(shut, 150));
  root.addEventListener("click", (e) => {
    const target = /** @type {HTMLElement} */ (e.target),
      place = target.closest("a.ce-place"),
      copied = /** @type {HTMLElement | null} */ (target.closest("button.ce-copy"));
    if (copied) {
      const pre = copied.parentElement?.querySelector("pre")?.cloneNode(true);
      for (const each of /** @type {any} */ (pre)?.querySelectorAll(".ce-n") ?? []) each.remove();
      app.copy(copied.dataset.copy ?? pre?.textContent ?? "");
    }
    if (!place) return;
    e.preventDefault();
    const said = /^(.*):(\d+)/s.exec(place.textContent ?? "");
    if (said) open(`${place.getAttribute("title")?.match(/^(\S+):\d+/)?.[1] ?? said[1]}:${said[2]}`);
  });
  root.addEventListener("keydown", (e) => {
    if (e.isComposing) return;
    const on = /** @type {HTMLElement} */ (e.target),
      hits = /** @type {HTMLElement[]} */ ([...rows.querySelectorAll(".ce-hit-name")]),
      now = hits.indexOf(on);
    const names = list.childElementCount,
      vertical = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
    if (e.altKey && (e.key === "ArrowLeft" || e.key === "ArrowRight")) step(e.key === "ArrowLeft" ? -1 : 1);
    else if (e.key === "Enter" && on === input)
      at >= 0 ? list.children[at].dispatchEvent(new MouseEvent("mousedown", { cancelable: true })) : search();
    else if (e.key === "Enter" && on === report && (e.ctrlKey || e.metaKey)) search();
    else if (vertical && on === input && names) move(vertical);
    else if (vertical && (on === input || now >= 0)) {
      const next = now + vertical;
      (next < 0 ? input : hits[Math.min(next, hits.length - 1)])?.focus();
    } else if (e.key === "Escape") {
      if (peek.classList.contains("on")) app.hide();
      else if (names) shut();
      else if (source.contains(on) && on !== root) step(-1);
      else if (on !== input) input.focus();
      else {
        input.value = "";
        search();
      }
    } else {
      if (!e.ctrlKey && !e.metaKey) e.stopPropagation();
      return;
    }
    e.preventDefault();
    e.stopPropagation();
  });
  // JupyterLab's shortcuts listen in capture on the document and match the focused element itself: the window is before it
  globalThis.addEventListener(
    "keydown",
    (e) => {
      const on = /** @type {Element} */ (e.composedPath()[0]);
      if (on instanceof Element && root.contains(on))
        on.toggleAttribute("data-lm-suppress-shortcuts", !(e.ctrlKey || e.metaKey));
    },
    { capture: true, signal },
  );
  const seen = new ResizeObserver(([entry]) => {
    root.classList.toggle("ce-narrow", entry.contentRect.width < 720);
    root.classList.toggle("ce-slim", entry.contentRect.width < 520);
    clearTimeout(resizeTimer);
    resizeTimer = setTimeout(() => {
      if (shownWalk && graph.clientWidth && Math.abs(app.graphWidth() - drawnWidth) > 30) walk(shownWalk, false);
    }, 300);
  });
  seen.observe(root);
  signal?.addEventListener("abort", () => {
    seen.disconnect();
    for (const each of [freshTimer, resizeTimer, askTimer]) clearTimeout(each);
  });
  model.on("change:place", () => {
    // Python, or another view of this widget
    const place = model.get("place");
    if (place && place !== places.now && place !== shownPlace && !source.classList.contains("ce-old")) open(place);
  });
  model.on("change:question", () => {
    const text = model.get("question");
    if (text !== (report.hidden ? input.value.trim() : report.value.trim())) {
      fill(text);
      search();
    }
  });
  model.on("change:options", () => {
    if (model.get("options").view !== app.options.view) {
      app.options = { ...model.get("options") };
      drawControls();
    }
  });
  function fill(/** @type {string} */ text) {
    if (text.includes("\n") === report.hidden) paste();
    report.hidden ? (input.value = text) : (report.value = text);
  }

  // ---------------------------------------------------------------- begin
  async function start() {
    alert.replaceChildren();
    const known = await tried(ask("start", {}, 600e3), start);
    if (!known) return;
    app.known = known;
    heading();
    drawControls();
    tab("hits");
    if (!model.get("title")) openForm();
    if (input.value || !report.hidden)
      await search(); // what was typed meanwhile stays
    else {
      root.classList.add("ce-empty");
      invite();
    }
    if (model.get("place")) open(model.get("place"), { keep: !places.all.length });
  }
  fill(model.get("question") ?? "");
  await start();
}

let last = 0;
const ids = () => ++last;

export default { render };
