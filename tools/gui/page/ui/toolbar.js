// The buttons of the game.

import { byId, coalesced, setIcon } from "../dom.js";
import { t } from "../i18n.js";
import { sideName, SIDES } from "../sides.js";
import { confirmed } from "./confirm.js";

export class Toolbar {
  constructor(controller) {
    const onClick = (id, act) => byId(id).addEventListener("click", act);
    onClick("undo", () => controller.undo());
    onClick("redo", () => controller.redo());
    onClick("hint", () => controller.hint());
    onClick("pause", () => controller.pause(!(controller.waiting || controller.paused)));
    onClick("swap", () => controller.swap());
    onClick("resign", async () => {
      const text = t("resign.text", { side: sideName(controller.resigning) });
      if (await confirmed(t("resign.title"), text, t("resign.yes"))) controller.resign();
    });
    controller.addEventListener("change", coalesced(requestAnimationFrame, () => this.#update(controller)));
  }

  #update({ record, over, paused, players, personToMove, thinking, waiting }) {
    const hasEngine = SIDES.some((side) => players[side].kind !== "person");
    byId("undo").disabled = record.ply === 0 && !record.resigned;
    byId("redo").disabled = record.atEnd;
    byId("hint").disabled = over || thinking !== null;
    byId("resign").disabled = over;
    byId("pause").disabled = over || !hasEngine || personToMove;
    const stands = waiting || paused;
    const label = t(stands ? "button.continue" : "button.pause");
    setIcon(byId("pause"), stands ? "play" : "pause");
    byId("pause").classList.toggle("primary", waiting);
    byId("pause").setAttribute("aria-label", label);
    byId("pause").title = `${label} (${byId("pause").dataset.key})`;
  }
}
