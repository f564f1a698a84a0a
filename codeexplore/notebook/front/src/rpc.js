// @ts-check
/** @typedef {{get(k: string): any, set(k: string, v: any): void, save_changes(): void, on(e: string, f: Function): void,
 *   off(e: string, f: Function): void, send(m: any, cb?: any, b?: any[]): void}} Model */
/** @typedef {(kind: string, args?: Record<string, any>, wait?: number) => Promise<any>} Ask */

/** An error of Python, with its next steps. */
export class Refused extends Error {
  /** @param {any} answer */
  constructor(answer) {
    super(answer.error);
    this.steps = answer.steps ?? [];
  }
}

/** Questions and answers over custom messages. Every view of a model hears every answer, so ids are the view's own.
 * @param {Model} model @param {AbortSignal | undefined} signal @param {(event: any) => void} [told] @returns {Ask} */
export function rpc(model, signal, told = () => {}) {
  /** @type {Map<string, {ok: Function, no: Function}>} */
  const open = new Map();
  const me = Math.random().toString(36).slice(2);
  let last = 0,
    slow = false;
  const heard = (/** @type {any} */ message, /** @type {DataView[]} */ buffers) => {
    if (message?.event) return told(message);
    const call = open.get(message?.id);
    if (!call) return;
    open.delete(message.id);
    if (slow) told({ event: "slow", is: (slow = false) });
    message.ok ? call.ok({ ...message, buffers }) : call.no(new Refused(message));
  };
  model.on("msg:custom", heard);
  signal?.addEventListener("abort", () => model.off("msg:custom", heard));
  const quick = 60000;
  return (kind, args = {}, wait = quick) =>
    new Promise((ok, no) => {
      const id = `${me}-${++last}`;
      open.set(id, { ok, no });
      try {
        model.send({ id, kind, args });
      } catch {
        open.delete(id);
        return no(new Error("The kernel was restarted or has ended. Run the cell again."));
      }
      if (wait === quick && kind !== "fresh")
        setTimeout(() => open.has(id) && told({ event: "slow", is: (slow = true) }), 4000);
      setTimeout(() => open.delete(id) && no(new Error("No answer yet: the kernel is busy or gone.")), wait);
    });
}

/** @param {DataView | ArrayBuffer} buffer gzip @returns {Promise<string>} */
export async function unpack(buffer) {
  const bytes =
    "buffer" in buffer
      ? new Uint8Array(/** @type {ArrayBuffer} */ (buffer.buffer), buffer.byteOffset, buffer.byteLength)
      : buffer;
  const stream = new Blob([/** @type {any} */ (bytes)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}
