"use strict";
// Questions to the preview's server. An answer counts for one generation of the build; the same question is asked once.

class API {
  constructor() {
    this.generation = 0;
    this.answers = new Map();
  }

  /** From now on answers about an earlier build do not count. */
  begin(generation) {
    if (generation === this.generation) return;
    this.generation = generation;
    this.answers.clear();
  }

  /** Asks `/api/<question>`; throws an error with the server's own words. */
  ask(question, parameters = {}) {
    const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value));
    const address = `/api/${question}${query.size ? `?${query}` : ""}`;
    // What is live in a channel changes without a build.
    if (question === "changes") return this.#fetch(address);
    if (!this.answers.has(address)) {
      const answer = this.#fetch(address);
      this.answers.set(address, answer);
      answer.catch(() => this.answers.get(address) === answer && this.answers.delete(address));
    }
    return this.answers.get(address);
  }

  async #fetch(address) {
    const response = await fetchPatiently(address, { cache: "no-store" });
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw new Error(answer.error ?? `${address} answers ${response.status}`);
    return answer;
  }
}
