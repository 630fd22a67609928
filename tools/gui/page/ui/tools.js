// The row of buttons under the board.

import { byId } from "../dom.js";
import { SIDES } from "../sides.js";

export class ToolsPanel {
  constructor(table) {
    const press = (id, act) => byId(id).addEventListener("click", act);
    press("undo", () => table.undo());
    press("redo", () => table.redo());
    press("hint", () => table.hint());
    press("pause", () => table.pause(!(table.waiting || table.paused)));
    press("swap", () => table.swap());
    press("resign", () => table.resign());
    table.addEventListener("change", () => {
      const { record, over } = table;
      const hasEngine = SIDES.some((side) => table.seats[side].kind !== "person");
      byId("undo").disabled = record.ply === 0 && !record.resigned;
      byId("redo").disabled = record.atEnd;
      byId("hint").disabled = over || table.thinking !== null;
      byId("resign").disabled = over;
      byId("pause").disabled = over || !hasEngine || (table.personMoves && !table.paused);
      const [sign, label] = table.waiting || table.paused ? ["▶", "Continue"] : ["❚❚", "Pause"];
      byId("pause").querySelector("b").textContent = sign;
      byId("pause").querySelector("span").textContent = label;
    });
  }
}
