// The words of the page in the user's language: tables of strings, one module per language.

import en from "./strings/en.js";

const KEY = "ratlla-language";

/** The languages, each by its own name. */
export const LANGUAGES = { en: "English", ca: "Català", es: "Español", pt: "Português", ro: "Română" };

/** Plurals that a language forms otherwise than its code alone says: the page's Portuguese is European. */
const PLURALS = { pt: "pt-PT" };

let code = "en";
let table = en;
let plural = new Intl.PluralRules("en");

/** The code of the language in use. */
export const language = () => code;

/** Loads the table of the language chosen before, or else of the first one that the browser asks for. */
export async function loadLanguage() {
  const wanted = [saved(), ...navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase())];
  await useLanguage(wanted.find((name) => Object.hasOwn(LANGUAGES, name)) ?? "en");
}

async function useLanguage(name) {
  if (name !== "en") {
    // Without its table the page stays English.
    const loaded = await import(`./strings/${name}.js`).catch(() => null);
    if (!loaded) return;
    table = loaded.default;
  }
  code = name;
  plural = new Intl.PluralRules(PLURALS[name] ?? name);
  document.documentElement.lang = name;
}

function saved() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Remembers a language and shows the page in it. */
export function chooseLanguage(name) {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // Without storage the choice cannot be kept.
  }
  location.reload();
}

/**
 * The text of a key, with `{name}` replaced by the value of that name. A number `n` selects the plural:
 * `key.one` or `key.few`, if the language has it.
 */
export function t(key, values = {}) {
  const form = typeof values.n === "number" ? `${key}.${plural.select(values.n)}` : key;
  const text = table[form] ?? table[key] ?? en[form] ?? en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** Whether there is a text for a key. */
export const hasText = (key) => Object.hasOwn(en, key);

/** Whether the text of a key contains the value of this name. */
export const needsValue = (key, name) => en[key].includes(`{${name}}`);

/** Fills the elements below `root` that name their text (`data-t`) or their label (`data-t-label`). */
export function translate(root) {
  for (const node of root.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  for (const node of root.querySelectorAll("[data-t-label]")) {
    const label = t(node.dataset.tLabel);
    node.setAttribute("aria-label", label);
    if (node.matches("button, label, select")) node.title = node.dataset.key ? `${label} (${node.dataset.key})` : label;
  }
}
