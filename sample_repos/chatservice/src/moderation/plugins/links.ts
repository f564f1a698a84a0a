import type { Filter } from "../filters";

/** Breaks links, so that nobody follows one by mistake. Use it as "./plugins/links: http, https". */
export default function breakLinks(schemes: readonly string[]): Filter {
  const pattern = new RegExp(`\\b(${schemes.join("|")})://`, "gi");
  return {
    name: "links",
    apply(text) {
      return text.replace(pattern, "$1:// ");
    },
  };
}
