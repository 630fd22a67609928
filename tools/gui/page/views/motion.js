// Animations, of which there are none if the user prefers reduced motion, or cannot see the page.

const reduced = window.matchMedia("(prefers-reduced-motion: reduce)");

/** Whether positions change without animation. */
export const isStill = () => reduced.matches || document.hidden;

/** Accelerated and decelerated by gravity: exact parabolas. */
export const FALL = "cubic-bezier(0.333, 0, 0.667, 0.333)";
export const RISE = "cubic-bezier(0.333, 0.667, 0.667, 1)";

/** The animations of a board. */
export class Motion {
  #running = new Set();

  /** Plays an animation; resolves at its end, or with `false` when it is cancelled. */
  async play(node, frames, options) {
    if (isStill()) return true;
    const animation = node.animate(frames, options);
    this.#running.add(animation);
    // A page that is hidden meanwhile does not end its animations in time.
    const late = new Promise((done) => setTimeout(done, options.duration + (options.delay ?? 0) + 250));
    const ended = await Promise.race([animation.finished.then(() => true, () => false), late.then(() => true)]);
    this.#running.delete(animation);
    return ended;
  }

  /** Plays an animation of an element that exists only for it. */
  async playOnce(node, frames, options) {
    const ended = await this.play(node, frames, { fill: "both", ...options });
    node.remove();
    return ended;
  }

  cancel() {
    for (const animation of this.#running) animation.cancel();
    this.#running.clear();
  }
}

/** The frames and the duration of a fall from this height, with two small bounces. */
export function fall(height, { gravity = 8800, restitution = 0.22, limit = 520 } = {}) {
  const down = Math.min(1000 * Math.sqrt((2 * height) / gravity), limit);
  const bounces = [restitution, restitution ** 2];
  const duration = down * (1 + 2 * bounces[0] + 2 * bounces[1]);
  const frames = [{ transform: `translateY(${-height}px)`, easing: FALL, offset: 0 }];
  let time = down;
  for (const speed of bounces) {
    frames.push({ transform: "translateY(0)", offset: time / duration, easing: RISE });
    frames.push({ transform: `translateY(${-height * speed ** 2}px)`, offset: (time + down * speed) / duration, easing: FALL });
    time += 2 * down * speed;
  }
  frames.push({ transform: "translateY(0)", offset: 1 });
  return { frames, duration };
}
