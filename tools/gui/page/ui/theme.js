// Light or dark: follows the system until the button is used.

import { byId } from "../dom.js";

const KEY = "ratlla-theme";

export function initTheme() {
  const root = document.documentElement;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    root.dataset.theme = localStorage.getItem(KEY) ?? (dark.matches ? "dark" : "light");
  };
  dark.addEventListener("change", apply);
  byId("theme").addEventListener("click", () => {
    localStorage.setItem(KEY, root.dataset.theme === "dark" ? "light" : "dark");
    apply();
  });
  apply();
}
