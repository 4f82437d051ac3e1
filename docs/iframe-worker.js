/* Browsers start no worker for a page that was opened from a folder (file://). Where that is so, the script of
   the worker runs in a hidden frame instead, so that the search box works without a server. The theme looks for the
   name IFrameWorker to tell that it does. */
if (location.protocol === "file:") {
  class IFrameWorker extends EventTarget {
    constructor(address) {
      super()
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      const source = String(address).replace(/&/g, "&amp;").replace(/"/g, "&quot;")
      this.frame.srcdoc = `<!DOCTYPE html><script>
        window.postMessage = message => parent.dispatchEvent(new CustomEvent("frame-worker", {detail: {from: window, message}}))
        window.importScripts = (...places) => places.reduce((before, place) => before.then(() => new Promise((done, failed) => {
          const script = document.createElement("script")
          script.src = place
          script.onload = done
          script.onerror = failed
          document.head.append(script)
        })), Promise.resolve())
      <\/script><script src="${source}"><\/script>`
      this.ready = new Promise(done => (this.frame.onload = done))
      addEventListener("frame-worker", ({detail}) => {
        if (detail.from === this.frame.contentWindow)
          this.dispatchEvent(new MessageEvent("message", {data: detail.message}))
      })
      document.body ? document.body.append(this.frame) : addEventListener("DOMContentLoaded", () => document.body.append(this.frame))
    }
    postMessage(message) {
      this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", {data: message})))
    }
    terminate() {
      this.frame.remove()
    }
  }
  window.IFrameWorker = IFrameWorker
  window.Worker = IFrameWorker
}
