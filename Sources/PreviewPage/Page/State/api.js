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

  /** Drops the responses of a resource, which is asked for again. */
  forget(name) {
    for (const address of this.answers.keys()) {
      if (address.split("?")[0] === `/api/${name}`) this.answers.delete(address);
    }
  }

  /** Sends a change to `/api/<name>` and returns the report; throws an error with the server's message. */
  async send(name, { parameters = {}, body, type, token }) {
    const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value));
    const response = await fetch(`/api/${name}${query.size ? `?${query}` : ""}`, {
      method: "POST",
      cache: "no-store",
      headers: { "content-type": type, "x-contentc-token": token ?? "" },
      body,
    })
      .catch(() => {
        throw new Error("The preview’s server does not answer. Start it again, and then repeat this.");
      });
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw new Error(answer.error ?? `status ${response.status}`);
    return answer;
  }

  async #fetch(address) {
    const response = await fetchPatiently(address, { cache: "no-store" });
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw new Error(answer.error ?? `${address}: status ${response.status}`);
    return answer;
  }
}
