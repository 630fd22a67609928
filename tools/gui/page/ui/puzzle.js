// Puzzles: the user must find the moves that win. A move that does not is taken back.

import { computer, person } from "../engine-player.js";
import { byId, el, icon } from "../dom.js";
import { friendly } from "../errors.js";
import { GameTree } from "../game-tree.js";
import { language, t } from "../i18n.js";
import { makePuzzle, puzzleIn, takeKept, winners } from "../puzzles.js";
import { movesToEnd } from "../score.js";
import { opponent, sideName } from "../sides.js";

/** The search time of each position, in milliseconds. */
const TIME = 1500;

export class PuzzlePanel {
  #controller;
  #rules;
  #assistant;
  #root = byId("puzzle");
  #generation = 0;
  /** The puzzle on the board: `{ tree, side, title, note }`, or null. */
  #puzzle = null;
  /** The moves that win in a position, by its node. */
  #winners = new Map();

  constructor(controller, rules, assistant) {
    this.#controller = controller;
    this.#rules = rules;
    this.#assistant = assistant;
    controller.addEventListener("shown", () => this.#check());
  }

  /** Looks for a puzzle and shows it. */
  async start() {
    const generation = (this.#generation += 1);
    const isCurrent = () => generation === this.#generation;
    this.#puzzle = null;
    this.#draw(t("puzzle.searching"), []);
    try {
      const found = (await this.#kept()) ?? (await makePuzzle(this.#assistant, this.#rules, this.#controller.record.game, isCurrent));
      if (!isCurrent()) return;
      if (found) await this.#show(found);
      else this.#draw(t("puzzle.fail"), ["next", "end"]);
    } catch (error) {
      if (isCurrent()) this.#draw(friendly(error), ["next", "end"]);
    }
  }

  /** A puzzle of the user's own games that is still one. */
  async #kept() {
    for (let kept = takeKept(); kept; kept = takeKept()) {
      const scores = await this.#assistant.scores(kept.record, kept.record.ply, TIME);
      if (puzzleIn(scores)) return { ...kept, scores };
    }
    return null;
  }

  async #show({ record, scores, time }) {
    const { side } = await this.#rules.stateAt(record);
    const { score } = puzzleIn(scores);
    const tree = GameTree.fromRecord(record);
    const when = new Intl.DateTimeFormat(language(), { dateStyle: "medium" });
    const task = score.kind === "win" && !score.single ? t("puzzle.task", { side: sideName(side), n: movesToEnd(score) }) : t("puzzle.only", { side: sideName(side) });
    const note = time ? t("puzzle.mine", { date: when.format(time) }) : "";
    this.#winners = new Map([[tree.current, winners(scores)]]);
    this.#puzzle = { tree, side, task, note };
    this.#controller.setAnalysis(false);
    await this.#controller.open(tree, { players: { [side]: person(), [opponent(side)]: computer({ level: 10 }) }, replaces: true });
    this.#draw(task, ["show", "next", "end"]);
  }

  /** After each move: whether it still wins, and the winning moves of the next position. */
  async #check() {
    const puzzle = this.#puzzle;
    const { over, result, state, tree } = this.#controller;
    if (!puzzle) return;
    if (tree !== puzzle.tree) return this.#end();
    const node = tree.current;
    if (over) return this.#draw(result === `${puzzle.side}win` ? t("puzzle.solved") : puzzle.task, ["next", "end"]);
    if (node.side === puzzle.side && node.parent) {
      const right = this.#winners.get(node.parent);
      if (right && !right.includes(node.move)) {
        this.#draw(t("puzzle.wrong", { move: node.move }), ["show", "next", "end"]);
        return this.#controller.goToNode(node.parent);
      }
      if (right) this.#draw(t("puzzle.right"), ["show", "next", "end"]);
    }
    if (state.side !== puzzle.side || this.#winners.has(node)) return;
    const scores = await this.#assistant.scores(tree.record, node.ply, TIME).catch(() => new Map());
    const found = winners(scores);
    if (found?.length) this.#winners.set(node, found);
  }

  #end() {
    this.#generation += 1;
    this.#puzzle = null;
    this.#assistant.end();
    this.#root.hidden = true;
  }

  #draw(text, names) {
    const acts = { show: () => this.#controller.hint(), next: () => this.start(), end: () => this.#end() };
    const button = (name) => el("button", { "data-puzzle": name, class: name === "next" ? "primary" : "", onclick: acts[name] }, t(`puzzle.${name}`));
    const note = this.#puzzle?.note ? [el("p", { class: "muted small" }, this.#puzzle.note)] : [];
    this.#root.hidden = false;
    this.#root.replaceChildren(
      el("h2", {}, el("span", {}, t("puzzle.title")), icon("puzzle")),
      el("p", { role: "status", id: "puzzle-text" }, text),
      ...note,
      ...(names.length ? [el("div", { class: "buttons" }, ...names.map(button))] : []),
    );
    this.#root.scrollIntoView({ block: "nearest" });
  }
}
