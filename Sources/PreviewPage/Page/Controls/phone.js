"use strict";
// The dialog with a QR code of this view's address on the network, or the command that admits the network.

class PhoneDialog {
  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    this.body = make("div", { class: "phone" });
    this.dialog = make(
      "dialog",
      { class: "help", "aria-labelledby": "phone-title" },
      make(
        "div",
        { class: "pane-head" },
        make("h2", { id: "phone-title", text: "On a phone" }),
        iconButton("close", "Close", () => this.dialog.close()),
      ),
      this.body,
    );
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
    document.body.append(this.dialog);
  }

  async toggle() {
    if (this.dialog.open) return this.dialog.close();
    this.body.replaceChildren();
    this.dialog.showModal();
    const addresses = (this.session.state?.network ?? []).map((address) =>
      `http://${address}:${location.port || 80}/${location.hash}`
    );
    if (!addresses.length) return this.#explain();
    return this.#draw(addresses[0], addresses.slice(1));
  }

  #explain() {
    this.body.replaceChildren(
      make("p", { text: "Only this machine can open this preview. To admit phones on the network, start:" }),
      command(startCommand(without(this.session, "--edit"), "--lan")),
      make("p", { class: "hint", text: "Everyone on the network can then read the content." }),
    );
  }

  async #draw(address, others) {
    const note = make("p", {
      class: "hint",
      text: "Point a phone’s camera at the code to open this view. The phone must be on the same network.",
    });
    try {
      const { rows } = await this.session.api.ask("qr", { text: address });
      this.body.replaceChildren(
        ...(rows.length ? [qrDrawing(rows, address), note] : []),
        ...[address, ...others].map((one) => make("a", { class: "phone-link", href: one, text: one })),
      );
    } catch (error) {
      this.body.replaceChildren(make("p", { text: error.message }));
    }
  }
}

/** A drawing of rows of 1 (dark) and 0 (light), with the required quiet zone. */
function qrDrawing(rows, address) {
  const drawing = document.createElementNS(SVG, "svg");
  const size = rows.length + 8;
  Object.entries({
    viewBox: `0 0 ${size} ${size}`,
    class: "qr",
    role: "img",
    "aria-label": `QR code of ${address}`,
    "shape-rendering": "crispEdges",
  }).forEach(([name, value]) => drawing.setAttribute(name, value));
  const path = document.createElementNS(SVG, "path");
  path.setAttribute(
    "d",
    rows.flatMap((row, y) => [...row].map((module, x) => (module === "1" ? `M${x + 4} ${y + 4}h1v1h-1z` : ""))).join(
      "",
    ),
  );
  drawing.append(path);
  return drawing;
}
