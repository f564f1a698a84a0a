// Lets the search work in pages that are opened from a folder: browsers refuse `new Worker` there. The worker's script runs in
// a hidden frame of the same page instead, which is given what it expects of a worker: messages and importScripts.
if (location.protocol === "file:") {
  const load = (frame, url) =>
    new Promise((resolve, reject) => {
      const script = frame.contentDocument.createElement("script");
      script.onload = resolve;
      script.onerror = () => reject(new Error(`cannot load ${url}`));
      script.src = url;
      frame.contentDocument.head.append(script);
    });
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inside.importScripts = async (...urls) => {
        for (const each of urls) await load(this.frame, each); // one after the other, as in a worker
      };
      this.ready = load(this.frame, url);
    }
    postMessage(data) {
      this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })));
    }
    terminate() {
      this.frame.remove();
    }
  };
}
