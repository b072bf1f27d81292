"use strict";
// Events about builds. A browser opens at most six connections to one address, and a stream of events
// occupies one of them. So all pages of a browser share a stream: the page that was shown last reads
// it and broadcasts the events.

class News extends EventTarget {
  /** @param {string} address */
  constructor(address) {
    super();
    this.address = address;
    /** @type {EventSource | undefined} */
    this.stream = undefined;
    this.turn = {};
    this.others = new BroadcastChannel("news");
    this.others.addEventListener("message", ({ data }) => this.#tell(data));
    document.addEventListener("visibilitychange", () => this.#visibilityChanged());
    if (navigator.locks) this.#take(true);
    else this.#visibilityChanged();
  }

  /** Reads the stream in a visible page; the first event has the whole state. */
  #visibilityChanged() {
    // Browsers may suspend hidden pages, so they must not be the readers.
    if (navigator.locks) return document.hidden || this.stream || this.#take(true);
    // Locks need a secure context. Without them, each visible page reads a stream of its own.
    return document.hidden ? this.#close() : this.#open();
  }

  /**
   * Reads once this page has the lock. With `steal`, it takes the lock from another page, which waits.
   * @param {boolean} steal
   */
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

  /**
   * @param {string} type
   * @param {any} detail
   */
  #share(type, detail) {
    this.others.postMessage({ type, detail });
    this.#tell({ type, detail });
  }

  /** @param {{type:string,detail:any}} news */
  #tell({ type, detail }) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
