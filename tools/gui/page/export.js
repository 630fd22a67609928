// Pictures of positions, and films of games, as files.

import { drawingOf } from "./views/drawings.js";
import { markup } from "./views/scene.js";

const PNG_WIDTH = 1200;
const GIF_WIDTH = 480;
/** How long a position of a film is seen, in milliseconds; in a long game; and the last one. */
const DELAY = 700;
const SHORT_DELAY = 350;
const LONG_GAME = 60;
const LAST_DELAY = 3000;
/** Colours of a film, one of which says that a pixel has not changed. */
const COLOURS = 255;

/** A position as SVG text of its own: the colours are those of the page now. */
export function svgOf(state, { side } = {}) {
  const probe = document.body.appendChild(document.createElement("i"));
  const resolved = new Map();
  const colour = (name) => {
    if (!resolved.has(name)) {
      probe.style.color = `var(${name})`;
      resolved.set(name, hex(getComputedStyle(probe).color));
    }
    return resolved.get(name);
  };
  const text = markup(drawingOf(state, side)).replace(/var\((--[\w-]+)\)/g, (_, name) => colour(name));
  probe.remove();
  return text;
}

/** Old programs know `#rrggbb` only. */
function hex(colour) {
  const [red, green, blue] = colour.match(/[\d.]+/g).map(Number);
  return `#${[red, green, blue].map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

/** A position as PNG. */
export async function pngOf(state, { side, width = PNG_WIDTH } = {}) {
  const canvas = await rasterized(state, side, width);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** Positions in their order as an animated GIF. `onProgress` is called with the share that is done. */
export async function gifOf(states, { side, width = GIF_WIDTH, onProgress = () => {} } = {}) {
  const { applyPalette, GIFEncoder, quantize } = await import("./vendor/gifenc.js");
  const pixels = async (state) => {
    const canvas = await rasterized(state, side, width);
    return { data: canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data, height: canvas.height };
  };
  // The first and the last position have all the colours.
  const ends = await Promise.all([states[0], states.at(-1)].map(pixels));
  const sample = new Uint8ClampedArray(ends[0].data.length + ends[1].data.length);
  sample.set(ends[0].data);
  sample.set(ends[1].data, ends[0].data.length);
  const palette = quantize(sample, COLOURS);
  const unchanged = palette.length;
  const encoder = GIFEncoder();
  const delay = states.length > LONG_GAME ? SHORT_DELAY : DELAY;
  let shown = null;
  for (const [at, state] of states.entries()) {
    const { data, height } = await pixels(state);
    const indices = applyPalette(data, palette);
    const written = shown ? indices.map((index, pixel) => (index === shown[pixel] ? unchanged : index)) : indices;
    encoder.writeFrame(written, width, height, {
      palette: at === 0 ? [...palette, [0, 0, 0]] : undefined,
      delay: at === states.length - 1 ? LAST_DELAY : delay,
      transparent: at > 0,
      transparentIndex: unchanged,
      dispose: 1,
    });
    shown = indices;
    onProgress((at + 1) / states.length);
  }
  encoder.finish();
  return new Blob([encoder.bytes()], { type: "image/gif" });
}

/** A canvas of this width with a position. */
async function rasterized(state, side, width) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svgOf(state, { side }))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = Math.round((width * image.naturalHeight) / image.naturalWidth);
  canvas.getContext("2d", { willReadFrequently: true }).drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** The picture of a position as a file of this kind, `svg` or `png`. */
export async function picture(_record, state, kind) {
  return kind === "svg" ? new Blob([svgOf(state)], { type: "image/svg+xml" }) : pngOf(state);
}

/** The film of a game, from its first position on. */
export const animation = (_record, states, onProgress) => gifOf(states, { onProgress });
