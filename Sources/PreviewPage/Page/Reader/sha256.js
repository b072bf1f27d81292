"use strict";
// SHA-256 (FIPS 180-4). Browsers hand out theirs only to pages from this machine or over HTTPS; a phone that looks at
// `preview --lan` gets this one.

const SHA256 = (() => {
  /** @type {number[]} */
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  /** @type {(number: number) => number} */
  const fraction = (number) => Math.floor((number - Math.floor(number)) * 2 ** 32);
  const START = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
  const ROUND = Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
  /** @type {(word: number, by: number) => number} */
  const turned = (word, by) => (word >>> by) | (word << (32 - by));

  /** @param {Uint8Array} bytes */
  function padded(bytes) {
    const whole = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6);
    whole.set(bytes);
    whole[bytes.length] = 0x80;
    const view = new DataView(whole.buffer);
    view.setUint32(whole.length - 8, Math.floor(bytes.length / 2 ** 29));
    view.setUint32(whole.length - 4, bytes.length << 3);
    return view;
  }

  /**
   * @param {Uint32Array} words
   * @param {DataView} view
   * @param {number} at
   */
  function schedule(words, view, at) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + 4 * i);
    for (let i = 16; i < 64; i++) {
      const [early, late] = [words[i - 15], words[i - 2]];
      words[i] = words[i - 16] + (turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)) +
        words[i - 7] + (turned(late, 17) ^ turned(late, 19) ^ (late >>> 10));
    }
  }

  /** @param {Uint8Array} bytes */
  function ours(bytes) {
    const view = padded(bytes);
    const state = Uint32Array.from(START);
    const words = new Uint32Array(64);
    for (let at = 0; at < view.byteLength; at += 64) {
      schedule(words, view, at);
      let [a, b, c, d, e, f, g, h] = state;
      for (let i = 0; i < 64; i++) {
        const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[i] + words[i]) |
          0;
        const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
      }
      [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] += word));
    }
    const digest = new DataView(new ArrayBuffer(32));
    state.forEach((word, i) => digest.setUint32(4 * i, word));
    return new Uint8Array(digest.buffer);
  }

  /**
   * The digest of bytes, in lower-case hexadecimal.
   * @param {Uint8Array} bytes
   */
  async function hex(bytes) {
    return hexadecimal(crypto.subtle ? new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)) : ours(bytes));
  }
  return { hex, ours };
})();

/** @param {Uint8Array} bytes */
function hexadecimal(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
