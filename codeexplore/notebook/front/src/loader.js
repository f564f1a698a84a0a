// @ts-check
import { rpc, unpack } from "./rpc.js";

/** All that a saved notebook keeps of the page: it asks the kernel for the rest, once in a page and for a version.
 * @param {any} context */
async function render(context) {
  const page = /** @type {any} */ (globalThis),
    key = Symbol.for(`codeexplore.front.${context.model.get("version")}`);
  const { el } = context;
  el.classList.add("ce-explorer");
  el.textContent = "Waiting for the kernel …";
  const late = setTimeout(() => {
    el.textContent =
      "No kernel has answered yet. It may be busy, or this is a saved page: the explorer needs a running notebook. Run its cell again there.";
  }, 5000);
  page[key] ??= (async () => {
    const code = await unpack((await rpc(context.model, context.signal)("front", {}, 3600e3)).buffers[0]);
    const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    try {
      return (await import(url)).default;
    } finally {
      URL.revokeObjectURL(url);
    }
  })().catch((e) => {
    delete page[key];
    throw e;
  });
  try {
    const front = await page[key];
    el.textContent = "";
    return front.render(context);
  } catch (e) {
    el.textContent = `The explorer did not start: ${/** @type {any} */ (e).message} Run the cell again.`;
  } finally {
    clearTimeout(late);
  }
}
export default { render };
