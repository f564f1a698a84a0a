/** Changes messages before they are posted. */
export interface Filter {
  readonly name: string;
  apply(text: string): string;
}

/** Writes `replacement` over every forbidden word. */
export class WordFilter implements Filter {
  readonly name: string = "words";
  readonly #pattern: RegExp;

  constructor(
    words: readonly string[],
    protected readonly replacement = "***",
  ) {
    this.#pattern = new RegExp(`\\b(${words.map(escapePattern).join("|")})\\b`, "giu");
  }

  apply(text: string): string {
    return text.replace(this.#pattern, (word) => this.replace(word));
  }

  protected replace(_word: string): string {
    return this.replacement;
  }
}

/** Leaves the first letter: "darn" becomes "d***". */
export class GentleWordFilter extends WordFilter {
  override readonly name = "gentle";

  protected override replace(word: string): string {
    return word.charAt(0) + super.replace(word);
  }
}

/** Nobody needs to shout a whole message. */
export const calmDown: Filter = {
  name: "calm",
  apply(text) {
    return isShouting(text) ? text.toLowerCase() : text;
  },
};

export function applyAll(filters: readonly Filter[], text: string): string {
  return filters.reduce((current, filter) => filter.apply(current), text);
}

function isShouting(text: string): boolean {
  return text.length > 8 && text === text.toUpperCase() && text !== text.toLowerCase();
}

function escapePattern(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
