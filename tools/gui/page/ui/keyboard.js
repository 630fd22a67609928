// Keyboard shortcuts: digits play moves, letters press buttons, arrows go over the board or the game.

import { byId } from "../dom.js";

/** How long to wait for another digit, in milliseconds. */
const DIGIT_DELAY = 900;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function listenToKeys(controller, analysis, newGame) {
  const typeDigit = digitHandler(controller);
  const press = (id) => byId(id).disabled || byId(id).click();
  const keys = {
    u: () => press("undo"),
    r: () => press("redo"),
    h: () => press("hint"),
    s: () => press("swap"),
    n: () => newGame.show(),
    a: () => controller.setAnalysis(!analysis.on),
    " ": () => press("pause"),
    ArrowLeft: () => controller.goTo(controller.record.ply - 1),
    ArrowRight: () => controller.goTo(controller.record.ply + 1),
    Home: () => controller.goTo(0),
    End: () => controller.goTo(controller.record.moves.length),
  };
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || !controller.state) return;
    if (target.closest("input, textarea, select, dialog")) return;
    if (ARROWS[event.key] && target.closest("[data-board]")) {
      event.preventDefault();
      return moveFocus(target, ARROWS[event.key]);
    }
    if (event.key === " " && target.closest("button, [role=button]")) return;
    if (/^\d$/.test(event.key)) return typeDigit(event.key);
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

/** Plays the move typed as a number, as soon as no other move begins with it. */
function digitHandler(controller) {
  let text = "";
  let timer = 0;
  const play = () => {
    const move = text;
    text = "";
    controller.play(move);
  };
  return (digit) => {
    clearTimeout(timer);
    text += digit;
    const longer = controller.state.moves.some(({ move }) => move !== text && move.startsWith(text));
    if (longer) timer = setTimeout(play, DIGIT_DELAY);
    else play();
  };
}

/** Moves the focus to the nearest focusable element of the board in a direction. */
function moveFocus(from, [right, down]) {
  const middle = (node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const [x, y] = middle(from);
  const distance = (node) => {
    const [there, below] = middle(node);
    const ahead = (there - x) * right + (below - y) * down;
    const aside = Math.abs((there - x) * down) + Math.abs((below - y) * right);
    return ahead > 1 && aside <= ahead * 2 ? ahead + 2 * aside : Infinity;
  };
  const places = [...from.closest("[data-board]").querySelectorAll("[tabindex]")];
  const nearest = places.reduce((best, node) => (distance(node) < distance(best) ? node : best), from);
  nearest.focus();
}
