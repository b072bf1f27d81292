"use strict";
// This view on a phone: its address in the local network as a QR code, or how to let others on the network look.

class PhoneDialog {
  constructor(session) {
    this.session = session;
    this.body = make("div", { class: "phone" });
    this.dialog = make("dialog", { class: "help", "aria-labelledby": "phone-title" },
      make("div", { class: "pane-head" }, make("h2", { id: "phone-title", text: "On a phone" }), iconButton("close", "Close", () => this.dialog.close())), this.body);
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
    document.body.append(this.dialog);
  }

  async toggle() {
    if (this.dialog.open) return this.dialog.close();
    this.body.replaceChildren();
    this.dialog.showModal();
    const addresses = (this.session.state?.network ?? []).map((address) => `http://${address}:${location.port || 80}/${location.hash}`);
    if (!addresses.length) return this.#explain();
    return this.#draw(addresses[0], addresses.slice(1));
  }

  #explain() {
    this.body.replaceChildren(make("p", { text: "Only this machine can open the preview now. To let phones on the same network look, start it with:" }), command("contentc preview --lan"),
      make("p", { class: "hint", text: "Everybody on that network can then read the content." }));
  }

  async #draw(address, others) {
    const note = make("p", { class: "hint", text: "Point the phone’s camera at it: this view opens. The phone must be in the same network." });
    try {
      const { rows } = await this.session.api.ask("qr", { text: address });
      this.body.replaceChildren(qrDrawing(rows, address), note, ...[address, ...others].map((one) => make("a", { class: "phone-link", href: one, text: one })));
    } catch (error) {
      this.body.replaceChildren(make("p", { text: error.message }));
    }
  }
}

/** Rows of 1 (dark) and 0 as a drawing, with the quiet zone that readers of such codes need. */
function qrDrawing(rows, address) {
  const drawing = document.createElementNS(SVG, "svg");
  const size = rows.length + 8;
  Object.entries({ viewBox: `0 0 ${size} ${size}`, class: "qr", role: "img", "aria-label": `QR code of ${address}`, "shape-rendering": "crispEdges" }).forEach(([name, value]) => drawing.setAttribute(name, value));
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", rows.flatMap((row, y) => [...row].map((module, x) => (module === "1" ? `M${x + 4} ${y + 4}h1v1h-1z` : ""))).join(""));
  drawing.append(path);
  return drawing;
}
