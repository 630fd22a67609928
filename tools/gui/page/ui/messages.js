// Notifications: most disappear by themselves, pinned ones stay until they are unpinned.

import { el } from "../dom.js";

const DURATION = 8000;

export class Messages {
  #root;
  #pinned = new Map();

  constructor(root) {
    this.#root = root;
  }

  show(text) {
    const same = [...this.#root.children].find((node) => node.dataset.text === text);
    same?.remove();
    const node = this.#add(text);
    setTimeout(() => node.remove(), DURATION);
  }

  pin(name, text) {
    if (!this.#pinned.has(name)) this.#pinned.set(name, this.#add(text));
  }

  unpin(name) {
    this.#pinned.get(name)?.remove();
    this.#pinned.delete(name);
  }

  #add(text) {
    const close = el("button", { "aria-label": "Close", onclick: () => node.remove() }, "×");
    const node = el("div", { class: "message", "data-text": text }, el("span", {}, text), close);
    this.#root.append(node);
    return node;
  }
}
