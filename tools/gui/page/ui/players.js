// The two players, and the dialog with their settings.

import { byId, closeOnBackdrop, dialogHead, el, reconcile, setText } from "../dom.js";
import { t } from "../i18n.js";
import { levelElo, levelName } from "../levels.js";
import { sideName, SIDES } from "../sides.js";
import { disc } from "../views/pieces.js";
import { playerFields } from "./player-fields.js";

/** Who plays a side, in one or two short texts. */
function playerTexts(player, game, engines, alone) {
  if (player.kind === "person") return [alone ? t("player.you") : t("player.person")];
  if (player.engine) return [engines[player.engine], String(player.strategy === "full" ? player.level : player.strategy)];
  if (player.strategy !== "full") return [t("player.computer"), player.strategy];
  const elo = levelElo(player.level, game);
  return [levelName(player.level, game), ...(elo ? [t("level.elo", { elo })] : [])];
}

export class PlayersPanel {
  #controller;
  #connection;
  #forms = {};
  #drawn = {};

  constructor(controller, connection) {
    this.#controller = controller;
    this.#connection = connection;
    const dialog = byId("players-dialog");
    for (const side of SIDES) {
      byId(`player-${side}`).append(disc(side), el("span", {}, el("b", {}, sideName(side)), el("small")));
      byId(`player-${side}`).title = t("player.change");
      byId(`player-${side}`).addEventListener("click", () => dialog.showModal());
      const fields = el("div", { class: "fields" });
      this.#forms[side] = fields;
    }
    const sides = SIDES.map((side) => el("fieldset", {}, el("legend", {}, disc(side), sideName(side)), this.#forms[side]));
    dialog.append(dialogHead(dialog, t("player.settings"), t("button.close")), el("div", { class: "two-players" }, ...sides));
    closeOnBackdrop(dialog);
    controller.addEventListener("change", () => SIDES.forEach((side) => this.#update(side)));
  }

  async #update(side) {
    const controller = this.#controller;
    const { isShown, over, people, record, result, state, thinking } = controller;
    const root = byId(`player-${side}`);
    root.classList.toggle("active", !over && state?.side === side);
    root.classList.toggle("winner", isShown && result === `${side}win`);
    root.classList.toggle("thinking", thinking === side);
    const player = controller.players[side];
    const who = playerTexts(player, record.game, this.#connection.engines, people.length === 1);
    const texts = thinking === side ? [t("player.thinking")] : who;
    reconcile(root.querySelector("small"), [...texts.keys()], () => el("span")).forEach((node, at) => setText(node, texts[at]));
    const wanted = JSON.stringify([player, record.game, this.#connection.engines]);
    if (this.#drawn[side] === wanted) return;
    this.#drawn[side] = wanted;
    this.#draw(side, player, new Map());
    if (player.kind === "person") return;
    // The settings depend on the engine's options.
    const options = await controller.options(side).catch(() => new Map());
    if (this.#drawn[side] !== wanted) return;
    const strategies = options.get("Strategy")?.values ?? [];
    if (strategies.length && !strategies.includes(player.strategy)) return controller.setPlayer(side, { strategy: "full" });
    this.#draw(side, player, options);
  }

  #draw(side, player, options) {
    const root = this.#forms[side];
    const focused = root.contains(document.activeElement) ? document.activeElement.name : null;
    const onChange = (changes) => this.#controller.setPlayer(side, changes);
    const { game } = this.#controller.record;
    root.replaceChildren(...playerFields({ side, player, options, game, engines: this.#connection.engines, onChange }));
    if (focused) root.querySelector(`[name="${focused}"]`)?.focus();
  }
}
