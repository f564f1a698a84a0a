import { calmDown, type Filter, GentleWordFilter, WordFilter } from "./filters";

type FilterFactory = (options: readonly string[]) => Filter;

const factories = new Map<string, FilterFactory>();

export function registerFilter(name: string, factory: FilterFactory): void {
  factories.set(name, factory);
}

registerFilter("words", (options) => new WordFilter(options));
registerFilter("gentle", makeGentle);
registerFilter("calm", () => calmDown);

function makeGentle(options: readonly string[]): Filter {
  return new GentleWordFilter(options);
}

/**
 * Make a filter from the configuration: `"words: darn, heck"` uses a registered one, `"./plugins/links: http"` the default
 * export of a module.
 */
export async function createFilter(spec: string): Promise<Filter> {
  const [name = "", list = ""] = spec.split(":", 2);
  const options = list.split(",").map((option) => option.trim()).filter(Boolean);
  const factory = name.startsWith("./") ? await loadFactory(name) : factories.get(name);
  if (!factory) {
    throw new Error(`no filter is called ${name}; there are ${[...factories.keys()].join(", ")}`);
  }
  return factory(options);
}

async function loadFactory(path: string): Promise<FilterFactory> {
  const module = (await import(path)) as { default: FilterFactory };
  return module.default;
}
