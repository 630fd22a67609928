// The game as a link and as text, and the import of games.

import { byId } from "../dom.js";
import { GameRecord } from "../game-record.js";

export class SharePanel {
  #controller;
  #messages;
  #written = "";

  constructor(controller, messages) {
    this.#controller = controller;
    this.#messages = messages;
    controller.addEventListener("change", () => this.#update());
    byId("copy-link").addEventListener("click", () => this.#copy(byId("share-link")));
    byId("copy-text").addEventListener("click", () => this.#copy(byId("share-text")));
    byId("import").addEventListener("click", () => this.#import(byId("share-text").value));
  }

  #update() {
    const { record } = this.#controller;
    byId("share-link").value = location.origin + location.pathname + record.fragment(record.moves.length);
    // Text that the user has typed stays until the game changes.
    if (this.#written !== record.text()) byId("share-text").value = this.#written = record.text();
    history.replaceState(null, "", record.fragment());
  }

  async #copy(field) {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      this.#messages.show("Copied.");
    } catch {
      this.#messages.show("Cannot access the clipboard: press Ctrl-C to copy the selected text.");
    }
  }

  async #import(text) {
    try {
      const { game } = this.#controller.record;
      await this.#controller.openFirst(GameRecord.fromText(text, game), { paused: true });
    } catch (error) {
      this.#messages.show(`Cannot import the game: ${error.message}`);
    }
  }
}
