// Tells moves and results to people who do not see the board: once each, after the piece has landed.

import { byId } from "../dom.js";
import { t } from "../i18n.js";
import { sideName } from "../sides.js";
import { resultText } from "./status.js";

/** The name of a cell in boards that name rows and columns. */
const cellName = ({ column_names, row_names }, [row, column]) => column_names[column] + row_names[row];

/** The last move in words. */
export function describeMove({ board, last, name }) {
  if (!last) return t("announce.position");
  const side = last.side ? sideName(last.side) : "";
  const { from, move, path, removed, to } = last;
  if (path) {
    const text = t("announce.house", { side, house: move });
    return last.again ? t("announce.again", { text }) : text;
  }
  if (move === "boom") return t("announce.boom", { side });
  if (move === "pass") return t("announce.pass", { side });
  if (to && board?.row_names) {
    const [start, end, captured] = [from, to, removed?.[0]].map((cell) => cell && cellName(board, cell));
    if (!start) return t("announce.cell", { side, to: end });
    return captured ? t("announce.capture", { side, from: start, to: end, captured }) : t("announce.step", { side, from: start, to: end });
  }
  if (to && ["connect4", "boom"].includes(name)) return t(last.bomb ? "announce.bomb" : "announce.drop", { side, column: move });
  return t("announce.move", { side, move });
}

export class Announcer {
  #said = "";
  #hinted = null;

  constructor(controller) {
    controller.addEventListener("shown", () => {
      const { state, record, over } = controller;
      const key = `${record.key()} ${record.resigned}`;
      if (this.#said === key) return;
      this.#said = key;
      byId("announcer").textContent = [describeMove(state), over ? resultText(controller) : ""].filter(Boolean).join(". ");
    });
    controller.addEventListener("change", () => {
      if (controller.hinted === this.#hinted) return;
      this.#hinted = controller.hinted;
      if (this.#hinted) byId("announcer").textContent = t("announce.hint", { move: this.#hinted });
    });
  }
}
