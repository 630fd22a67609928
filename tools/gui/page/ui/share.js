// The game as a link and as text, and a text as a game.

import { byId } from "../dom.js";
import { Record } from "../record.js";

export class SharePanel {
  #table;
  #messages;
  #written = "";

  constructor(table, messages) {
    this.#table = table;
    this.#messages = messages;
    table.addEventListener("change", () => this.#update());
    byId("copy-link").addEventListener("click", () => this.#copy(byId("share-link")));
    byId("copy-text").addEventListener("click", () => this.#copy(byId("share-text")));
    byId("import").addEventListener("click", () => this.#import(byId("share-text").value));
  }

  #update() {
    const { record } = this.#table;
    const whole = Object.assign(new Record(record.words, record.setup, record.moves), { resigned: record.resigned });
    byId("share-link").value = location.origin + location.pathname + whole.fragment();
    // What somebody writes there stays until the game changes.
    if (this.#written !== record.text()) byId("share-text").value = this.#written = record.text();
    history.replaceState(null, "", record.fragment());
  }

  async #copy(field) {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      this.#messages.warn("Copied.");
    } catch {
      this.#messages.warn("The text is selected: copy it with the keyboard.");
    }
  }

  async #import(text) {
    try {
      await this.#table.openFirst(Record.fromText(text, this.#table.record.words), { paused: true });
    } catch (error) {
      this.#messages.warn(`That is no game: ${error.message}`);
    }
  }
}
