"use strict";
// Requests to the preview's server. Each response is valid for one generation of the build and cached.

class API {
  constructor() {
    this.generation = "";
    /** @type {Map<string, Promise<any>>} */
    this.answers = new Map();
  }

  /**
   * Begins a generation and drops the responses of the one before.
   * @param {string} generation
   */
  begin(generation) {
    if (generation === this.generation) return;
    this.generation = generation;
    this.answers.clear();
  }

  /**
   * Returns the resource `/api/<name>`; throws an error with the server's message.
   * @template {keyof Answers} Name
   * @param {Name} name
   * @param {Record<string, string | undefined>} parameters
   * @returns {Promise<Answers[Name]>}
   */
  ask(name, parameters = {}) {
    const query = new URLSearchParams(filled(parameters));
    const address = `/api/${name}${query.size ? `?${query}` : ""}`;
    // Live content changes without a build.
    if (name === "changes" && !Exported.isOn) return this.#fetch(address);
    const known = this.answers.get(address);
    if (known) return known;
    const answer = Exported.isOn ? Exported.ask(name, parameters) : this.#fetch(address);
    this.answers.set(address, answer);
    answer.catch(() => this.answers.get(address) === answer && this.answers.delete(address));
    return answer;
  }

  /**
   * Drops the responses of a resource, which is asked for again.
   * @param {string} name
   */
  forget(name) {
    for (const address of this.answers.keys()) {
      if (address.split("?")[0] === `/api/${name}`) this.answers.delete(address);
    }
  }

  /**
   * Sends a change to `/api/<name>` and returns the report; throws an error with the server's message.
   * @param {string} name
   * @param {{ parameters?: Record<string, string | undefined>, body: BodyInit, type: string, token?: string | undefined }} change
   */
  async send(name, { parameters = {}, body, type, token }) {
    const query = new URLSearchParams(filled(parameters));
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

  /** @param {string} address */
  async #fetch(address) {
    const response = await fetchPatiently(address, { cache: "no-store" });
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw new Error(answer.error ?? `${address}: status ${response.status}`);
    return answer;
  }
}

/**
 * The parameters that have a value.
 * @param {Record<string, string | undefined>} parameters
 */
function filled(parameters) {
  return Object.entries(parameters).flatMap(([name, value]) => value ? [[name, value]] : []);
}
