// Groups of choices, one of which is chosen.

import { el, icon } from "../dom.js";

/** One choice, with what it shows. */
export function choice({ group, value, checked, onChange }, ...content) {
  const input = el("input", { type: "radio", name: group, value, checked, onchange: () => onChange(value) });
  return el("label", { class: "choice" }, input, el("span", {}, ...content));
}

/** A titled group of choices: `{ value, label, note, icon }`. */
export function choices({ group, title, items, value, onChange, className = "" }) {
  const nodes = items.map((item) => {
    const parts = item.note ? [el("small", {}, item.note)] : [];
    if (item.icon) parts.unshift(icon(item.icon));
    const label = el("span", {}, item.label);
    const content = item.icon ? [...parts, label] : [label, ...parts];
    return choice({ group, value: item.value, checked: item.value === value, onChange }, ...content);
  });
  return el("fieldset", {}, el("legend", {}, title), el("div", { class: `choices ${className}` }, ...nodes));
}
