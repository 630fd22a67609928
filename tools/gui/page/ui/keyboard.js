// Keyboard shortcuts: digits play moves, letters press buttons, arrows go through the game. On the board,
// arrows and Enter belong to its view.

import { byId, closeOnBackdrop, dialogHead, el } from "../dom.js";
import { t } from "../i18n.js";

/** How long to wait for another digit, in milliseconds. */
const DIGIT_DELAY = 900;
/** The keys that press buttons, and the names of those buttons. */
const LETTERS = { n: "new", u: "undo", r: "redo", h: "hint", s: "swap" };

export function listenToKeys(controller, analysis, showKeys) {
  const typeDigit = digitHandler(controller);
  const press = (id) => byId(id).disabled || byId(id).click();
  const keys = {
    ...Object.fromEntries(Object.entries(LETTERS).map(([key, id]) => [key, () => press(id)])),
    a: () => controller.setAnalysis(!analysis.on),
    b: () => byId("actions").querySelector("[data-move]")?.click(),
    "?": showKeys,
    " ": () => press("pause"),
    ArrowLeft: () => controller.goTo(controller.record.ply - 1),
    ArrowRight: () => controller.goTo(controller.record.ply + 1),
    Home: () => controller.goTo(0),
    End: () => controller.goTo(controller.record.moves.length),
  };
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !controller.state) return;
    if (target.closest("input:not([type=checkbox]), textarea, select, dialog")) return;
    if (event.key === " " && target.closest("button, input, [role=button]")) return;
    if (/^\d$/.test(event.key)) return typeDigit(event.key);
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

/** The dialog that lists the keys. Returns the function that shows it. */
export function keysDialog() {
  const dialog = byId("keys-dialog");
  const row = (keys, text) => [el("dt", {}, ...keys.map((key) => el("kbd", {}, key))), el("dd", {}, text)];
  const rows = [
    row([t("keys.digitsName")], t("keys.digits")),
    row([t("keys.arrows")], t("keys.board")),
    row([t("keys.navigateName")], t("keys.navigate")),
    ...Object.entries(LETTERS).map(([key, id]) => row([key.toUpperCase()], t(`button.${id}`))),
    row(["A"], t("analysis.switch")),
    row(["B"], "BOOM!"),
    row([t("keys.spaceName")], t("keys.space")),
    row(["?"], t("keys.help")),
  ];
  dialog.append(dialogHead(dialog, t("keys.title"), t("button.close")), el("dl", { class: "keys" }, ...rows.flat()));
  closeOnBackdrop(dialog);
  return () => dialog.open || dialog.showModal();
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
