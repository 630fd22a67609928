// The buttons under the board.

import { byId } from "../dom.js";
import { SIDES } from "../sides.js";

export class Toolbar {
  constructor(controller) {
    const onClick = (id, act) => byId(id).addEventListener("click", act);
    onClick("undo", () => controller.undo());
    onClick("redo", () => controller.redo());
    onClick("hint", () => controller.hint());
    onClick("pause", () => controller.pause(!(controller.waiting || controller.paused)));
    onClick("swap", () => controller.swap());
    onClick("resign", () => controller.resign());
    controller.addEventListener("change", () => {
      const { record, over, paused, players, personToMove, thinking, waiting } = controller;
      const hasEngine = SIDES.some((side) => players[side].kind !== "person");
      byId("undo").disabled = record.ply === 0 && !record.resigned;
      byId("redo").disabled = record.atEnd;
      byId("hint").disabled = over || thinking !== null;
      byId("resign").disabled = over;
      byId("pause").disabled = over || !hasEngine || (personToMove && !paused);
      const [icon, label] = waiting || paused ? ["▶", "Continue"] : ["❚❚", "Pause"];
      byId("pause").querySelector("b").textContent = icon;
      byId("pause").querySelector("span").textContent = label;
    });
  }
}
