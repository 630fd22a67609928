// Making elements, in one line each.

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

/** An element of HTML. Attributes that begin with `on` are listeners. */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An element of SVG. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * Gives `root` one child for each key, in this order, and returns them. A child whose key is
 * asked for again stays the same element: one replaced between the press of a button and its
 * release would never be clicked, and would lose the focus.
 */
export function keep(root, keys, make) {
  const there = new Map([...root.children].map((node) => [node.dataset.key, node]));
  const wanted = keys.map((key) => {
    const node = there.get(String(key)) ?? make(key);
    node.dataset.key = key;
    return node;
  });
  if (wanted.length !== there.size || wanted.some((node, at) => node !== root.children[at])) {
    root.replaceChildren(...wanted);
  }
  return wanted;
}

/** The one element with this id. */
export const byId = (id) => document.getElementById(id);

const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

/** Plays an animation and waits for its end; skips it for people who want none. */
export async function animate(node, frames, options) {
  if (calm.matches || document.hidden) return;
  try {
    await node.animate(frames, options).finished;
  } catch {
    // The element was removed: the board shows something newer.
  }
}

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
