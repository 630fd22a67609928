// The settings: language, theme and sound.

import { byId, closeOnBackdrop, dialogHead, el } from "../dom.js";
import { chooseLanguage, language, LANGUAGES, t } from "../i18n.js";
import { choices } from "./choices.js";

const THEME = "ratlla-theme";

/** Light or dark: follows the system unless one is chosen. */
class Theme {
  #dark = window.matchMedia("(prefers-color-scheme: dark)");

  constructor() {
    this.#dark.addEventListener("change", () => this.apply());
    this.apply();
  }

  get chosen() {
    try {
      return localStorage.getItem(THEME) ?? "system";
    } catch {
      return "system";
    }
  }

  choose(theme) {
    try {
      if (theme === "system") localStorage.removeItem(THEME);
      else localStorage.setItem(THEME, theme);
    } catch {
      // Without storage the choice cannot be kept.
    }
    this.apply(theme);
  }

  apply(theme = this.chosen) {
    document.documentElement.dataset.theme = theme === "system" ? (this.#dark.matches ? "dark" : "light") : theme;
  }
}

export class Settings {
  constructor(sound) {
    const theme = new Theme();
    const dialog = byId("settings-dialog");
    const languages = Object.entries(LANGUAGES).map(([code, name]) => el("option", { value: code, selected: code === language() }, name));
    const themes = ["system", "light", "dark"].map((value) => ({ value, label: t(`settings.${value}`) }));
    const sounds = el("input", { type: "checkbox", id: "sound", checked: sound.on, onchange: (event) => sound.turn(event.target.checked) });
    dialog.append(
      dialogHead(dialog, t("settings.title"), t("button.close")),
      el(
        "div",
        { class: "dialog-body" },
        el("label", { class: "field" }, t("settings.language"), el("select", { id: "language", onchange: (event) => chooseLanguage(event.target.value) }, ...languages)),
        choices({ group: "theme", title: t("settings.theme"), items: themes, value: theme.chosen, className: "three", onChange: (value) => theme.choose(value) }),
        el("label", { class: "field check setting" }, sounds, t("settings.sound")),
      ),
    );
    closeOnBackdrop(dialog);
    byId("settings").addEventListener("click", () => dialog.showModal());
  }
}
