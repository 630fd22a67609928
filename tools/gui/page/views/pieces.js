// The pieces: they differ by colour, brightness and shape. Red has a ring, Yellow a star.

import { create, h } from "./scene.js";
import { SIDES } from "../sides.js";

/** The radius of a piece. */
export const RADIUS = 42;

let pictures = 0;

/** A number for the ids of a picture: a page may have several. */
export const pictureId = () => `picture${(pictures += 1)}`;

/** A star with this number of points, whose outline alternates between two radii. */
export function burst(points, outer, inner, dy = 0) {
  const corners = Array.from({ length: 2 * points }, (_, at) => {
    const [angle, r] = [(at * Math.PI) / points, at % 2 ? inner : outer];
    return `${(r * Math.sin(angle)).toFixed(1)} ${(dy - r * Math.cos(angle)).toFixed(1)}`;
  });
  return `M${corners.join("L")}z`;
}

const star = (dy) => burst(5, 27, 12, dy);

const relief = {
  p1: [
    h("circle", { r: 22, cy: 1.8, fill: "none", stroke: "var(--p1-light)", "stroke-width": 8 }),
    h("circle", { r: 22, fill: "none", stroke: "var(--p1-dark)", "stroke-width": 8 }),
  ],
  p2: [h("path", { d: star(2.4), fill: "var(--p2-light)" }), h("path", { d: star(0), fill: "var(--p2-dark)" })],
};

const body = (side) => [
  h("circle", { r: RADIUS, fill: `var(--${side}-dark)` }),
  h("circle", { r: RADIUS - 4, fill: `var(--${side})` }),
  h("path", { d: "M-29 -12A31.5 31.5 0 0 1 12 -29", fill: "none", stroke: `var(--${side}-light)`, "stroke-width": 4, "stroke-linecap": "round" }),
];

const bomb = [
  h("path", { d: "M11 -15q7 -15 20 -9", fill: "none", stroke: "var(--bomb)", "stroke-width": 6, "stroke-linecap": "round" }),
  h("circle", { r: 22, cy: 4, fill: "var(--bomb)" }),
  h("path", { d: "M31 -34l2 6 6 -1 -4 5 4 5 -6 -1 -2 6 -2 -6 -6 1 4 -5 -4 -5 6 1z", fill: "var(--spark)" }),
  h("circle", { r: 4.5, cx: -8, cy: -4, fill: "var(--bomb-light)" }),
];

/** The definitions that `piece` refers to. */
export const pieceDefinitions = (id) =>
  SIDES.flatMap((side) => [
    h("g", { id: `${id}-${side}` }, body(side), relief[side]),
    h("g", { id: `${id}-${side}-bomb` }, body(side), bomb),
  ]);

/** A piece around the origin. */
export const piece = (id, side, isBomb = false, attributes = {}) => h("use", { href: `#${id}-${side}${isBomb ? "-bomb" : ""}`, ...attributes });

/** A picture of a piece of its own, as data; with `isBomb`, of a bomb. */
export function discPicture(side, isBomb = false) {
  return h("svg", { class: "disc-picture", viewBox: "-44 -44 88 88", "aria-hidden": "true" }, body(side), isBomb ? bomb : relief[side]);
}

/** A picture of a piece of its own: an element. */
export const disc = (side, isBomb) => create(document.body, discPicture(side, isBomb));
