// Notifications: most disappear by themselves, pinned ones stay until they are unpinned.

import { el, icon } from "../dom.js";
import { t } from "../i18n.js";

const DURATION = 8000;

export class Messages {
  #root;
  #pinned = new Map();

  constructor(root) {
    this.#root = root;
  }

  /** Shows a text, with a button that does something about it if `action` is given. */
  show(text, action = null) {
    const same = [...this.#root.children].find((node) => node.dataset.text === text);
    same?.remove();
    const node = this.#add(text, action);
    setTimeout(() => node.remove(), DURATION);
  }

  /** Shows a text until it is unpinned or closed. One with an action stays until the user has taken it. */
  pin(name, text, action = null) {
    if (!this.#pinned.has(name)) this.#pinned.set(name, this.#add(text, action, !action));
  }

  unpin(name) {
    this.#pinned.get(name)?.remove();
    this.#pinned.delete(name);
  }

  #add(text, action, canClose = true) {
    const dismiss = () => node.remove();
    const act = () => {
      dismiss();
      action.act();
    };
    const buttons = [];
    if (action) buttons.push(el("button", { class: "act", onclick: act }, action.label));
    if (canClose) buttons.push(el("button", { class: "icon", "aria-label": t("button.close"), onclick: dismiss }, icon("close")));
    const node = el("div", { class: "message", "data-text": text }, el("span", {}, text), ...buttons);
    this.#root.append(node);
    return node;
  }
}
