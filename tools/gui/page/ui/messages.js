// Short texts for people: some go away by themselves, some stay until the trouble is over.

import { el } from "../dom.js";

const SHOWN = 8000;

export class Messages {
  #root;
  #held = new Map();

  constructor(root) {
    this.#root = root;
  }

  warn(text) {
    const same = [...this.#root.children].find((node) => node.dataset.text === text);
    same?.remove();
    const node = this.#add(text);
    setTimeout(() => node.remove(), SHOWN);
  }

  hold(name, text) {
    if (!this.#held.has(name)) this.#held.set(name, this.#add(text));
  }

  release(name) {
    this.#held.get(name)?.remove();
    this.#held.delete(name);
  }

  #add(text) {
    const close = el("button", { "aria-label": "Close", onclick: () => node.remove() }, "×");
    const node = el("div", { class: "message", "data-text": text }, el("span", {}, text), close);
    this.#root.append(node);
    return node;
  }
}
