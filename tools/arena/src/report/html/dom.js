"use strict";

// Elements. Text is always set as text, never as markup: it may come from anywhere.

const SVG = "http://www.w3.org/2000/svg";

/** The element with this id. */
const $ = (id) => document.getElementById(id);

/** Fills an element with attributes, listeners (`onclick`) and children. */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

/** An HTML element. */
const html = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

/** An SVG element. */
const svg = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** A number as people read it: 12,345. */
const grouped = (number) => Number(number).toLocaleString("en-GB");
