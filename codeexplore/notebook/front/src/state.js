// @ts-check
/** Places that were opened, with the one in sight. */
export class Places {
  /** @param {string[]} [all] */
  constructor(all = []) {
    this.all = all;
    this.at = all.length - 1;
  }
  get now() {
    return this.all[this.at] ?? "";
  }
  /** @param {string} place */
  go(place) {
    if (place === this.now) return;
    this.all = [...this.all.slice(0, this.at + 1), place].slice(-50);
    this.at = this.all.length - 1;
  }
  /** @param {number} by @returns {string} the place there, "" if there is none */
  step(by) {
    const place = this.all[this.at + by];
    if (place === undefined) return "";
    this.at += by;
    return place;
  }
}

/** A text that begins with a slash is searched as it is; between two slashes it is a regular expression.
 * @param {string} text @returns {{pattern: string, regex: boolean, ignore_case: boolean} | null} */
export function grepOf(text) {
  if (!text.startsWith("/") || text.length < 2) return null;
  const between = /^\/(.+)\/(i?)$/.exec(text);
  if (between) return { pattern: between[1], regex: true, ignore_case: between[2] === "i" };
  return { pattern: text.slice(1), regex: false, ignore_case: false };
}

/** Give each row the rank that it had before (0: it was not there), and return the rows that are gone.
 * @param {any[]} before @param {any[]} rows */
export function moves(before, rows) {
  const was = new Map(before.map((row) => [row.target, row.rank])),
    now = new Set(rows.map((row) => row.target));
  for (const row of rows) row.was = was.get(row.target) ?? 0;
  return before.filter((row) => !now.has(row.target));
}

/** Where the last part of a row's name begins: of a file and of a section in it, that is the file's name.
 * @param {{name: string, place: string}} row */
export function lastPart({ name, place }) {
  const file = place.replace(/:\d+$/, ""),
    isFile = name.startsWith(file) || file.endsWith(name);
  return (isFile ? name.split("#")[0].lastIndexOf("/") : Math.max(name.lastIndexOf("."), name.lastIndexOf(":"))) + 1;
}

/** Options without those that are as usual, for the trait.
 * @param {Record<string, any>} options */
export function chosen(options) {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== null && value !== undefined && value !== ""),
  );
}

/** The part of a drawing in sight after a zoom at a point: what is under the pointer stays there.
 * @param {{x: number, y: number, k: number}} view @param {number} by @param {number} px @param {number} py */
export function zoomed(view, by, px, py) {
  const k = Math.min(4, Math.max(0.2, view.k * by)),
    ratio = k / view.k;
  return { k, x: px - (px - view.x) * ratio, y: py - (py - view.y) * ratio };
}

/** A view moved as little as shows boxes; those that do not fit are shown from the middle.
 * @param {{x: number, y: number, k: number}} view @param {{x: number, y: number, width: number}[]} boxes
 * @param {{width: number, height: number}} size */
export function inSight({ x, y, k }, boxes, { width, height }) {
  const into = (
    /** @type {number} */ at,
    /** @type {number} */ low,
    /** @type {number} */ high,
    /** @type {number} */ size,
  ) => {
    const least = 8 - low * k,
      most = size - 8 - high * k;
    return least > most ? (least + most) / 2 : Math.min(most, Math.max(least, at));
  };
  const left = Math.min(...boxes.map((box) => box.x - box.width / 2)),
    right = Math.max(...boxes.map((box) => box.x + box.width / 2)),
    heights = boxes.map((box) => box.y);
  return {
    k,
    x: into(x, left, right, width),
    y: into(y, Math.min(...heights) - 12, Math.max(...heights) + 12, height),
  };
}

/** The path of a link between two boxes, from the side that faces the other.
 * @param {{x: number, y: number, width: number}} a @param {{x: number, y: number, width: number}} b */
export function curve(a, b) {
  if (a === b) return `M${a.x + a.width / 2} ${a.y - 4}c26 -16 26 24 0 8`;
  if (Math.abs(a.x - b.x) < (a.width + b.width) / 2) {
    const right = Math.max(a.x + a.width / 2, b.x + b.width / 2) + 18;
    return `M${a.x + a.width / 2} ${a.y}C${right} ${a.y} ${right} ${b.y} ${b.x + b.width / 2 + 5} ${b.y}`;
  }
  const side = a.x < b.x ? 1 : -1,
    from = a.x + (side * a.width) / 2,
    to = b.x - side * (b.width / 2 + 5),
    middle = (from + to) / 2;
  return `M${from} ${a.y}C${middle} ${a.y} ${middle} ${b.y} ${to} ${b.y}`;
}
