// The explosion of a bomb: a flash, a shock wave along its row, sparks, and a short shake.

import { CELL, x, y } from "./gravity-scene.js";
import { create, h } from "./scene.js";

const SPARKS = 9;
/** How fast the blast reaches the next column, in milliseconds. */
const SPREAD = 45;

/** Plays it; `last` is the move, `previous` the position before it. Returns what it waits for. */
export function explode({ effects, shaken, motion, last, previous }) {
  const add = (description) => effects.appendChild(create(effects, description));
  const [row, column] = last.from;
  const distance = (cell) => Math.abs(cell[1] - column);
  const columns = last.removed.map(([, other]) => other - column);
  const [left, right] = [Math.min(...columns, 0), Math.max(...columns, 0)];
  const here = move(x(column), y(row));
  const blast = add(h("rect", { x: (left - 0.5) * CELL, y: -CELL * 0.42, width: (right - left + 1) * CELL, height: CELL * 0.84, rx: CELL * 0.42, fill: "var(--spark)" }));
  const beam = motion.playOnce(
    blast,
    [
      { transform: `${here} scaleX(0.1)`, opacity: 1 },
      { transform: here, opacity: 0.85, offset: 0.4 },
      { transform: `${here} scaleY(0.05)`, opacity: 0 },
    ],
    { duration: 460, easing: "ease-out" },
  );
  const glow = add(h("circle", { r: CELL / 2, fill: "var(--mark)" }));
  const flash = motion.playOnce(glow, [{ transform: `${here} scale(0.4)`, opacity: 1 }, { transform: `${here} scale(2.1)`, opacity: 0 }], { duration: 300, easing: "ease-out" });
  const rings = [0, 90].map((delay) => {
    const ring = add(h("circle", { r: CELL / 2, fill: "none", stroke: delay ? "var(--spark)" : "var(--mark)", "stroke-width": 14 }));
    const grown = (scale) => `${here} scale(${scale})`;
    return motion.playOnce(ring, [{ transform: grown(0.4), opacity: 1 }, { transform: grown(3.4), opacity: 0 }], { duration: 560, delay, easing: "cubic-bezier(0.1, 0.7, 0.3, 1)" });
  });
  const bursts = last.removed.flatMap((cell) => burst(add, motion, cell, previous.board.rows[cell[0]][cell[1]], SPREAD * distance(cell)));
  return [beam, flash, ...rings, ...bursts, shake(shaken, motion)];
}

const move = (right, down) => `translate(${right}px, ${down}px)`;

/** A piece that bursts into sparks. */
function burst(add, motion, cell, side, delay) {
  const [cx, cy] = [x(cell[1]), y(cell[0])];
  const whole = add(h("circle", { r: 42, fill: `var(--${side})` }));
  const vanish = motion.playOnce(
    whole,
    [
      { transform: `${move(cx, cy)} scale(1)`, opacity: 1 },
      { transform: `${move(cx, cy)} scale(1.3)`, opacity: 0.9, offset: 0.3 },
      { transform: `${move(cx, cy)} scale(0.1)`, opacity: 0 },
    ],
    { duration: 260, delay },
  );
  const sparks = Array.from({ length: SPARKS }, (_, index) => {
    const angle = (2 * Math.PI * (index + 0.37 * cell[1])) / SPARKS;
    const reach = CELL * (0.75 + 0.55 * ((index * 7) % 5) / 4);
    const [right, down] = [reach * Math.cos(angle), reach * Math.sin(angle)];
    const colour = index % 3 ? `var(--${side})` : "var(--spark)";
    const spark = add(h("circle", { r: 7 + ((index * 5) % 4) * 2.5, fill: colour, stroke: "var(--mark-edge)", "stroke-width": 1.5 }));
    return motion.playOnce(
      spark,
      [
        { transform: `${move(cx, cy)} scale(1)`, opacity: 1, easing: "cubic-bezier(0.1, 0.6, 0.4, 1)" },
        { transform: `${move(cx + right, cy + down)} scale(0.9)`, opacity: 1, offset: 0.6, easing: "ease-in" },
        { transform: `${move(cx + 1.15 * right, cy + down + CELL * 0.6)} scale(0.2)`, opacity: 0 },
      ],
      { duration: 640, delay: delay + 40 },
    );
  });
  return [vanish, ...sparks];
}

/** Shakes the board, less and less. */
function shake(node, motion) {
  const frames = Array.from({ length: 9 }, (_, index) => {
    const swing = 7 * (1 - index / 8) * (index % 2 ? 1 : -1);
    return { transform: index === 0 || index === 8 ? "none" : move(swing, swing / 2) };
  });
  return motion.play(node, frames, { duration: 340 });
}
