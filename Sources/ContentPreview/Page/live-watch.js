"use strict";
// What is live changes without a save. While somebody looks at it, the server is asked every few seconds whether config is
// still the one that is known; nobody asks while the page is hidden or shows something else.

/** In milliseconds; the server asks the target at most once a second, however many pages there are. */
const LOOK_AGAIN = 4000;

class LiveWatch {
  constructor(session) {
    this.session = session;
    document.addEventListener("visibilitychange", () => this.wait(0));
    session.view.addEventListener("change", () => this.wait());
    this.wait();
  }

  /** Looks after a time, if somebody still looks then. */
  wait(time = LOOK_AGAIN) {
    clearTimeout(this.timer);
    if (this.#isWanted) this.timer = setTimeout(() => this.#look(), time);
  }

  get #isWanted() {
    const { session } = this;
    const { tab } = session.view.current;
    return !document.hidden && Boolean(session.state && session.channel) && (tab === "changes" || (tab === "preview" && session.side !== "build"));
  }

  async #look() {
    if (this.#isWanted && this.session.connection !== "lost") await this.session.lookAgain().catch(() => {});
    this.wait();
  }
}
