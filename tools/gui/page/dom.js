// Helpers for elements and dialogs.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

/** Creates an HTML element. Attributes that begin with `on` are listeners. */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Creates an SVG element. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * Gives `root` one child per key, in order, and returns them. A child whose key recurs stays the same
 * element: replacing it between mouse down and mouse up would lose the click, and the focus.
 */
export function reconcile(root, keys, create) {
  const current = new Map([...root.children].map((node) => [node.dataset.key, node]));
  const wanted = keys.map((key) => {
    const node = current.get(String(key)) ?? create(key);
    node.dataset.key = key;
    return node;
  });
  if (wanted.length !== current.size || wanted.some((node, at) => node !== root.children[at])) {
    root.replaceChildren(...wanted);
  }
  return wanted;
}

/** A function that runs `act` once, through `schedule`, for any number of calls in the meantime. */
export function coalesced(schedule, act) {
  let queued = false;
  return () => {
    if (queued) return;
    queued = true;
    schedule(() => {
      queued = false;
      act();
    });
  };
}

export const byId = (id) => document.getElementById(id);

/** An icon of the page's set. */
export const icon = (name) => svg("svg", { class: "icon-image", "aria-hidden": "true" }, svg("use", { href: `icons.svg#${name}` }));

/** Puts the icons that elements name (`data-icon`) before their content. */
export function addIcons(root) {
  for (const node of root.querySelectorAll("[data-icon]")) node.prepend(icon(node.dataset.icon));
}

/** Changes the icon of a button. */
export function setIcon(node, name) {
  const use = node.querySelector("use");
  if (use.getAttribute("href") !== `icons.svg#${name}`) use.setAttribute("href", `icons.svg#${name}`);
}

/** Sets a text if it has changed, so that nothing is redrawn or read out again. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Sets an attribute if it has changed. */
export function setAttribute(node, name, value) {
  if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

/** The head of a dialog: its title and a button that closes it. */
export function dialogHead(dialog, title, closeLabel) {
  const close = el("button", { class: "icon plain", type: "button", "aria-label": closeLabel, title: closeLabel, onclick: () => dialog.close() }, icon("close"));
  return el("div", { class: "dialog-head" }, el("h2", { id: dialog.getAttribute("aria-labelledby") }, title), close);
}

/** Lets a click beside a dialog close it. */
export function closeOnBackdrop(dialog) {
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
}
