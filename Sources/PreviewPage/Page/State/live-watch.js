"use strict";
// Live content changes without a save. While the page shows it, the page asks the server every few
// seconds for config.

/** The interval in milliseconds. The server asks the target at most once a second, for all pages. */
const LOOK_AGAIN = 4000;

class LiveWatch {
  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    document.addEventListener("visibilitychange", () => this.wait(0));
    session.view.addEventListener("change", () => this.wait());
    this.wait();
  }

  /**
   * Asks after a time, if the page still shows live content then.
   * @param {number} [time]
   */
  wait(time = LOOK_AGAIN) {
    clearTimeout(this.timer);
    if (this.#isWanted) this.timer = setTimeout(() => this.#look(), time);
  }

  get #isWanted() {
    const { session } = this;
    const { tab } = session.view.current;
    return !document.hidden && Boolean(session.state && session.channel) &&
      (tab === "changes" || (tab === "preview" && session.side !== "build"));
  }

  async #look() {
    if (this.#isWanted && this.session.connection !== "lost") await this.session.lookAgain().catch(() => {});
    this.wait();
  }
}
