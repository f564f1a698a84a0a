// @ts-check
/** @typedef {{fqn: string, low: string, name: string, kind: string, id: string}} Name */

/** Fuzzy match in order of quality: last name equal, its beginning, within it, within the path, letters in order. Among
 * equals the more used name is first, which is the order of `names`.
 * @param {Name[]} names @param {string} text @returns {Name[]} */
export function match(names, text, limit = 10) {
  const want = text.toLowerCase().replace(/\s+/g, "");
  if (!want) return [];
  /** @type {[number, Name][]} */
  const found = [];
  for (let place = 0; place < names.length; place++) {
    const n = names[place];
    const score = quality(n, want);
    if (score > 0) found.push([score - place / names.length - n.low.length / 1000, n]);
  }
  return found
    .sort((a, b) => b[0] - a[0])
    .slice(0, limit)
    .map((each) => each[1]);
}

/** @param {Name} n @param {string} want */
function quality(n, want) {
  if (n.name === want) return 1000;
  if (n.name.startsWith(want)) return 800;
  if (n.name.includes(want)) return 600;
  if (n.low.includes(want)) return 400;
  let at = -1,
    gaps = 0;
  for (const letter of want) {
    const next = n.low.indexOf(letter, at + 1);
    if (next < 0) return 0;
    if (at >= 0) gaps += next - at - 1;
    at = next;
  }
  return Math.max(1, 200 - gaps);
}

/** @param {string} lines @returns {Name[]} */
export const parse = (lines) =>
  lines
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [fqn, kind, id] = line.split("\t");
      const low = fqn.toLowerCase();
      return { fqn, low, name: low.slice(Math.max(low.lastIndexOf("."), low.lastIndexOf(":")) + 1), kind, id };
    });

/** The name that is being typed at the end of a question, and what is before it.
 * @param {string} text @returns {[string, string]} */
export function lastWord(text) {
  const found = /[\w.:$]+$/.exec(text);
  return found ? [text.slice(0, found.index), found[0]] : [text, ""];
}
