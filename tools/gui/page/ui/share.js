// The game as a link, as text and as a picture, and the import of games.

import { byId, closeOnBackdrop, dialogHead, el, icon } from "../dom.js";
import { EngineError } from "../engine.js";
import { friendly } from "../errors.js";
import { GameRecord } from "../game-record.js";
import { t } from "../i18n.js";

/** Moves to import, as an example; in other games than these, columns. */
const EXAMPLES = { wali: "b2 c2 b4", kalah: "3 6 2" };

export class SharePanel {
  #controller;
  #rules;
  #messages;
  #connection;
  #dialog = byId("share-dialog");
  #link = el("input", { id: "share-link", readonly: true });
  #text = el("textarea", { id: "share-text", rows: 3, readonly: true });
  #source = el("textarea", { id: "import-text", rows: 2, spellcheck: "false", "aria-describedby": "import-help" });
  #help = el("p", { class: "muted small", id: "import-help" });
  #error = el("p", { class: "bad", role: "alert", id: "import-error" });

  constructor(controller, rules, messages, connection) {
    this.#connection = connection;
    this.#controller = controller;
    this.#rules = rules;
    this.#messages = messages;
    const button = (id, name, label, act) => el("button", { id, onclick: act }, icon(name), label);
    this.#dialog.append(
      dialogHead(this.#dialog, t("share.title"), t("button.close")),
      el(
        "div",
        { class: "dialog-body" },
        el("label", { class: "field" }, t("share.link"), this.#link),
        el("label", { class: "field" }, t("share.text"), this.#text),
        el(
          "div",
          { class: "buttons" },
          button("copy-link", "copy", t("share.copyLink"), () => this.#copy(this.#link)),
          button("copy-text", "copy", t("share.copyText"), () => this.#copy(this.#text)),
          button("copy-picture", "copy", t("share.copyPicture"), () => this.#copyPicture()),
        ),
        // Here from the start: a button that came later would move the others from under the pointer.
        el(
          "div",
          { class: "buttons" },
          ...["png", "svg", "gif"].map((kind) =>
            el("button", { "data-picture": kind, onclick: (event) => this.#save(event.currentTarget, kind) }, icon("image"), t(`share.${kind}`)),
          ),
        ),
        el("label", { class: "field" }, t("share.importLabel"), this.#source),
        this.#help,
        this.#error,
        el("div", { class: "buttons end" }, el("button", { id: "import", class: "primary", onclick: () => this.#import() }, t("share.import"))),
      ),
    );
    closeOnBackdrop(this.#dialog);
    byId("share").addEventListener("click", () => this.show());
    controller.addEventListener("change", () => this.#update());
  }

  show() {
    this.#error.textContent = "";
    this.#source.value = "";
    const example = EXAMPLES[this.#controller.record.name] ?? "4 4 3";
    this.#source.placeholder = example;
    this.#help.textContent = t("share.help", { example });
    this.#dialog.showModal();
  }

  #update() {
    const { record } = this.#controller;
    const fragment = record.fragment();
    if (location.hash !== fragment) history.replaceState(history.state, "", fragment);
    const base = this.#connection.linkBase ?? location.href.replace(/[#?].*$/, "");
    this.#link.value = base + record.fragment(record.moves.length);
    this.#text.value = record.text();
  }

  async #copy(field) {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      this.#messages.show(t("share.copied"));
    } catch {
      this.#messages.show(t("share.noClipboard"));
    }
  }

  async #copyPicture() {
    try {
      // The browser waits for the picture, so that it is still the click that copies it.
      await navigator.clipboard.write([new ClipboardItem({ "image/png": this.#picture("png") })]);
      this.#messages.show(t("share.copied"));
    } catch {
      this.#messages.show(t("share.noPicture"));
    }
  }

  async #import() {
    try {
      const { game } = this.#controller.record;
      await this.#openFirst(GameRecord.fromText(this.#source.value, game));
      this.#dialog.close();
    } catch (error) {
      this.#error.textContent = t("message.cannotImport", { reason: friendly(error) });
    }
  }

  /** Opens the first legal game of several. Throws if all are illegal. */
  async #openFirst(records) {
    for (const [at, record] of records.entries()) {
      try {
        return await this.#controller.open(record, { paused: true, replaces: true });
      } catch (error) {
        if (!(error instanceof EngineError) || at === records.length - 1) throw error;
      }
    }
  }

  /** A picture of the position, or of the whole game as an animation. */
  async #picture(kind) {
    const drawing = await import("../export.js");
    const { record, state } = this.#controller;
    return kind === "gif" ? drawing.animation(record, await this.#states()) : drawing.picture(record, state, kind);
  }

  #states() {
    const { record } = this.#controller;
    return Promise.all(Array.from({ length: record.ply + 1 }, (_, ply) => this.#rules.stateAt(record, ply)));
  }

  async #save(button, kind) {
    button.disabled = true;
    try {
      const url = URL.createObjectURL(await this.#picture(kind));
      el("a", { href: url, download: `${this.#controller.record.name}.${kind}` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    } catch (error) {
      this.#messages.show(friendly(error));
    }
    button.disabled = false;
  }
}
