"use strict";
// News about builds. Browsers open six connections to one address, and a stream of events holds one of them, so that all
// pages of a browser share a stream: the page that was shown last reads it, and tells the others.

class News extends EventTarget {
  constructor(address) {
    super();
    this.address = address;
    this.others = new BroadcastChannel("news");
    this.others.addEventListener("message", ({ data }) => this.#tell(data));
    document.addEventListener("visibilitychange", () => this.#visibilityChanged());
    if (navigator.locks) this.#take(true);
    else this.#visibilityChanged();
  }

  /** Whoever begins to read is told at once what it missed. */
  #visibilityChanged() {
    // Browsers may put hidden pages to sleep: they are not the ones to read.
    if (navigator.locks) return document.hidden || this.stream || this.#take(true);
    // Locks are for addresses that the browser trusts. Elsewhere each page reads by itself while it is shown.
    return document.hidden ? this.#close() : this.#open();
  }

  /** Reads once it is this page's turn, which is at once if it takes it from another; that one waits for its next. */
  #take(steal) {
    const turn = (this.turn = {});
    const isOver = () => turn !== this.turn;
    navigator.locks.request("news", { steal }, () => isOver() || new Promise(() => this.#open())).catch(() => {
      if (isOver()) return;
      this.#close();
      this.#take(false);
    });
  }

  #open() {
    this.stream ??= new EventSource(this.address);
    this.stream.onopen = () => this.#share("connection", "live");
    this.stream.onerror = () => this.#share("connection", "lost");
    this.stream.addEventListener("build", ({ data }) => this.#share("build", JSON.parse(data)));
  }

  #close() {
    this.stream?.close();
    this.stream = undefined;
  }

  #share(type, detail) {
    this.others.postMessage({ type, detail });
    this.#tell({ type, detail });
  }

  #tell({ type, detail }) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
