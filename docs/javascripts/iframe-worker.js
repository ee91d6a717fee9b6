// Search on pages opened as files: browsers refuse workers there, so a hidden frame does their work.
// Material for MkDocs would fetch such a script from a server of others; its plugin `offline` takes this one instead.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inside = frame.contentWindow;
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.ready = new Promise((resolve, reject) => {
        const script = frame.contentDocument.createElement("script");
        script.src = address;
        script.onload = resolve;
        script.onerror = reject;
        frame.contentDocument.body.append(script);
      });
    }

    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new this.inside.MessageEvent("message", { data })));
    }

    terminate() {
      this.inside.frameElement.remove();
    }
  };
}
