// The keyboard: digits play, letters press buttons, arrows move over the board or the game.

import { byId } from "../dom.js";

/** How long a number may take to be typed, in milliseconds. */
const TYPING = 900;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function listenToKeys(table, analysis, newGame) {
  const typed = numbers(table);
  const press = (id) => byId(id).disabled || byId(id).click();
  const keys = {
    u: () => press("undo"),
    r: () => press("redo"),
    h: () => press("hint"),
    s: () => press("swap"),
    n: () => newGame.show(),
    a: () => table.analyse(!analysis.on),
    " ": () => press("pause"),
    ArrowLeft: () => table.goTo(table.record.ply - 1),
    ArrowRight: () => table.goTo(table.record.ply + 1),
    Home: () => table.goTo(0),
    End: () => table.goTo(table.record.moves.length),
  };
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || !table.state) return;
    if (target.closest("input, textarea, select, dialog")) return;
    if (ARROWS[event.key] && target.closest("[data-board]")) {
      event.preventDefault();
      return step(target, ARROWS[event.key]);
    }
    if (event.key === " " && target.closest("button, [role=button]")) return;
    if (/^\d$/.test(event.key)) return typed(event.key);
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

/** Plays the move that is typed as a number, as soon as it can be no other. */
function numbers(table) {
  let text = "";
  let timer = 0;
  const play = () => {
    const move = text;
    text = "";
    table.playAsPerson(move);
  };
  return (digit) => {
    clearTimeout(timer);
    text += digit;
    const longer = table.state.moves.some((move) => move !== text && move.startsWith(text));
    if (longer) timer = setTimeout(play, TYPING);
    else play();
  };
}

/** Moves the focus to the nearest place on the board in a direction. */
function step(from, [right, down]) {
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
