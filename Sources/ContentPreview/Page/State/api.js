"use strict";
// Requests to the preview's server. Each response is valid for one generation of the build and cached.

class API {
  constructor() {
    this.generation = 0;
    this.answers = new Map();
  }

  /** Begins a generation and drops the responses of the one before. */
  begin(generation) {
    if (generation === this.generation) return;
    this.generation = generation;
    this.answers.clear();
  }

  /** Returns the resource `/api/<name>`; throws an error with the server's message. */
  ask(name, parameters = {}) {
    const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value));
    const address = `/api/${name}${query.size ? `?${query}` : ""}`;
    // Live content changes without a build.
    if (name === "changes") return this.#fetch(address);
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
    if (!response.ok) throw new Error(answer.error ?? `${address}: status ${response.status}`);
    return answer;
  }
}
