// The move list: numbered turns in the players' colours, with values and marks, and variations below the
// move that they replace. A click goes to that position.

import { byId, coalesced, el, setAttribute, setText } from "../dom.js";
import { t } from "../i18n.js";
import { longLabel, shortLabel } from "../score.js";

export class MovesPanel {
  #controller;
  #analysis;
  #rules;
  #drawn = "";
  #buttons = new Map();
  /** The height of the list when it was scrolled last. */
  #height = 0;

  constructor(controller, analysis, rules) {
    this.#controller = controller;
    this.#analysis = analysis;
    this.#rules = rules;
    const update = coalesced(requestAnimationFrame, () => controller.state && this.#update());
    controller.addEventListener("change", update);
    analysis.addEventListener("change", update);
    byId("moves").addEventListener("click", (event) => {
      const id = event.target.closest("[data-node]")?.dataset.node;
      const node = id && controller.tree.find(Number(id));
      if (node) controller.goToNode(node);
    });
  }

  #update() {
    const { record, tree } = this.#controller;
    const wanted = `${tree.id} ${tree.version}`;
    if (this.#drawn !== wanted) {
      this.#drawn = wanted;
      this.#buttons.clear();
      byId("moves").replaceChildren(this.#move(tree.root), ...this.#line(tree.root));
      this.#findSides();
    }
    setText(byId("move-count"), t("moves.count", { ply: record.ply, all: record.moves.length }));
    this.#refreshAll();
  }

  #refreshAll() {
    const { record, tree } = this.#controller;
    const onLine = new Set(record.nodes);
    for (const [node, button] of this.#buttons) this.#refresh(node, button, onLine);
    // Numbers and values may have moved the current move out of sight.
    const { scrollHeight } = byId("moves");
    if (this.#height !== scrollHeight) this.#scrollTo(this.#buttons.get(tree.current));
    this.#height = scrollHeight;
  }

  /** The moves after a position: the first of each, with the others as variations. */
  #line(start) {
    const nodes = [];
    for (let node = start; node.children.length; node = node.children[0]) {
      const [main, ...others] = node.children;
      nodes.push(this.#move(main));
      for (const other of others) {
        const attributes = { class: "variation", role: "group", "aria-label": t("moves.variation") };
        nodes.push(el("span", attributes, this.#move(other), ...this.#line(other)));
      }
    }
    return nodes;
  }

  #move(node) {
    const button = el("button", { class: "move", "data-node": node.id, "data-ply": node.ply }, node.parent ? node.move : t("moves.start"), el("small"), el("span", { class: "mark" }));
    this.#buttons.set(node, button);
    const number = el("span", { class: "move-number", "aria-hidden": "true" });
    return node.parent ? el("span", { class: "numbered" }, number, button) : button;
  }

  /** Who made the moves is known only to the rules. */
  async #findSides() {
    const { record, tree } = this.#controller;
    const missing = record.nodes.filter((node) => node.parent && !node.side);
    for (const node of missing) {
      const state = await this.#rules.stateAt(record, node.ply).catch(() => null);
      if (tree !== this.#controller.tree) return;
      node.side = state?.last?.side ?? null;
    }
    if (missing.length) this.#refreshAll();
  }

  #refresh(node, button, onLine) {
    const { record, tree } = this.#controller;
    const isCurrent = node === tree.current;
    if (isCurrent && !button.classList.contains("current")) this.#scrollTo(button);
    const side = node.side ?? "";
    setAttribute(button, "class", `move ${side}${isCurrent ? " current" : ""}`);
    if (isCurrent) setAttribute(button, "aria-current", "step");
    else button.removeAttribute("aria-current");
    const [value, mark] = button.querySelectorAll("small, .mark");
    const known = this.#analysis.on && onLine.has(node) ? this.#analysis.positionScores.get(record.key(node.ply)) : undefined;
    const score = known && (node.parent ? seenBy(node.side, known) : known.score);
    setText(value, known && node.parent ? shortLabel(score) : "");
    if (known) setAttribute(button, "title", longLabel(score));
    else button.removeAttribute("title");
    setText(mark, node.review?.mark ?? "");
    if (node.parent) setText(button.previousElementSibling, this.#number(node));
  }

  /** The number of the turn, at the first move of each and at the start of a variation. */
  #number(node) {
    const { parent, side } = node;
    if (!side) return "";
    const isFirst = parent.side !== side && side === "p1";
    const isVariation = parent.children[0] !== node;
    return isFirst || isVariation || node.ply === 1 ? node.number : "";
  }

  #scrollTo(button) {
    const list = byId("moves");
    list.scrollTop = button.offsetTop - list.clientHeight / 2;
  }
}

/** A score as the one who made the last move sees it. */
function seenBy(mover, { side, score }) {
  if (side === mover || score.kind === "draw") return score;
  if (score.kind === "win" || score.kind === "loss") return { ...score, kind: score.kind === "win" ? "loss" : "win" };
  return { ...score, value: -score.value };
}
