// Pictures as plain data: drawn into the page, where only what has changed is touched, or written as text.

const SVG = "http://www.w3.org/2000/svg";

/** What each element that was drawn shows. */
const shown = new WeakMap();

/**
 * An element of a picture. Among its attributes, `key` tells it from its siblings, names that begin with
 * `--` are custom properties, and `own` says that its children are not drawn from data.
 */
export function h(tag, attributes = {}, ...children) {
  const kept = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  return { tag, attributes, children: kept.map((child) => (typeof child === "number" ? String(child) : child)) };
}

/** Makes `children` the content of `parent`. Elements whose key and tag recur stay the same ones. */
export function patch(parent, children) {
  const before = new Map();
  let at = 0;
  for (const node of parent.childNodes) if (shown.has(node)) before.set(keyOf(shown.get(node), at++), node);
  let next = parent.firstChild;
  children.forEach((child, index) => {
    const key = keyOf(child, index);
    const found = before.get(key);
    const reused = found && shown.get(found).tag === child.tag;
    const node = reused ? found : create(parent, child);
    if (reused) before.delete(key);
    update(node, child);
    if (node === next) next = next.nextSibling;
    else parent.insertBefore(node, next);
  });
  for (const node of before.values()) node.remove();
}

/** Creates an element, which is drawn, but not inserted yet. */
export function create(parent, description) {
  if (typeof description === "string") return remember(document.createTextNode(""), "");
  const { tag } = description;
  const namespace = tag === "svg" || (parent.namespaceURI === SVG && parent.localName !== "foreignObject") ? SVG : null;
  const node = namespace ? document.createElementNS(SVG, tag) : document.createElement(tag);
  remember(node, { tag, attributes: {}, children: [] });
  update(node, description);
  return node;
}

/** The element as text. */
export function markup(description) {
  if (typeof description === "string") return escape(description);
  const { tag, attributes, children } = description;
  const written = Object.entries(attributes).filter(([name, value]) => !OMITTED.test(name) && isSet(value));
  const words = [tag, ...written.map(([name, value]) => `${name}="${escape(String(value === true ? "" : value))}"`)];
  return children.length ? `<${words.join(" ")}>${children.map(markup).join("")}</${tag}>` : `<${words.join(" ")}/>`;
}

/** Attributes that mean nothing outside the page. */
const OMITTED = /^(key|own|class|data-.*|aria-.*|--.*)$/;

const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (text) => text.replace(/[&<>"]/g, (character) => ESCAPED[character]);

const isSet = (value) => value !== undefined && value !== null && value !== false;

const keyOf = (description, index) => description.attributes?.key ?? `#${index}`;

function remember(node, description) {
  shown.set(node, description);
  return node;
}

function update(node, next) {
  const last = shown.get(node);
  if (last === next) return;
  shown.set(node, next);
  if (typeof next === "string") {
    node.data = next;
    return;
  }
  for (const name in last.attributes) if (!(name in next.attributes)) setAttribute(node, name, null);
  for (const name in next.attributes) {
    if (next.attributes[name] !== last.attributes[name]) setAttribute(node, name, next.attributes[name]);
  }
  if (!next.attributes.own && next.children !== last.children) patch(node, next.children);
}

function setAttribute(node, name, value) {
  if (name === "key" || name === "own") return;
  if (name.startsWith("--")) node.style.setProperty(name, isSet(value) ? value : "");
  else if (isSet(value)) node.setAttribute(name, value === true ? "" : value);
  else node.removeAttribute(name);
}
