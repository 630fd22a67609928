// One game on the board: positions, moves, what the engines said.

/** A score as `{ text, value }`, the value from -1 to 1 for the side that moved. */
function readScore(text) {
  if (!text) return null;
  const [kind, number] = [text.split(" ")[0], Number(text.split(" ")[1])];
  const whole = Number.isFinite(number) && text.includes(" ");
  if (kind === "cp" && whole) return { text: `${number >= 0 ? "+" : "−"}${(Math.abs(number) / 100).toFixed(2)}`, value: Math.tanh(number / 400) };
  if ((kind === "win" || kind === "mate") && whole) return { text: `${number < 0 ? "loses" : "wins"} in ${Math.abs(number)}`, value: Math.sign(number) || 1 };
  if (kind === "loss" && whole) return { text: `loses in ${number}`, value: -1 };
  if (kind === "margin" && whole) return { text: `margin ${number > 0 ? "+" : ""}${number}`, value: Math.tanh(number / 10) };
  return { text, value: 0 };
}

const clockText = (ms) => {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} left`;
};

/** The moves of a game with everything known about each. */
function readMoves(game) {
  const list = (text) => (text ? text.split(",") : []);
  const [scores, depths, nodes, times, clocks] = ["scores", "depths", "nodes", "times", "clocks"].map((key) => list(game[key]));
  const changes = list(game.changes);
  const texts = game.moves ? game.moves.split(" ") : [];
  return texts.map((text, at) => {
    const own = at - game.opening;
    const said = own < 0 ? [] : [
      depths[own] && `depth ${depths[own]}`,
      nodes[own] && `${grouped(nodes[own])} nodes`,
      times[own] && `${(times[own] / 1000).toFixed(times[own] < 1000 ? 3 : 1)} s`,
      clocks[own] && clockText(Number(clocks[own])),
    ].filter(Boolean);
    return {
      text,
      side: Number(game.sides[at]),
      isOpening: own < 0,
      score: own < 0 ? null : readScore(scores[own]),
      said: said.join(", "),
      changes: (changes[at] ?? "").split(" ").filter(Boolean).map((change) => change.split(".").map(Number)),
    };
  });
}

class Replay {
  #data;
  #game = null;
  #moves = [];
  #ply = 0;
  #timer = null;
  #onMove;

  /** `onMove(number, ply)` is called when another position is shown. */
  constructor(data, onMove) {
    this.#data = data;
    this.#onMove = onMove;
    $("first").onclick = () => this.go(0);
    $("back").onclick = () => this.go(this.#ply - 1);
    $("forward").onclick = () => this.go(this.#ply + 1);
    $("last").onclick = () => this.go(this.#moves.length);
    $("play").onclick = () => this.toggle();
    $("ply").oninput = () => this.go(Number($("ply").value));
  }

  get ply() {
    return this.#ply;
  }

  get length() {
    return this.#moves.length;
  }

  show(game, ply) {
    this.stop();
    this.#game = game;
    this.#moves = readMoves(game);
    $("ply").max = this.#moves.length;
    const player = (side) => html("span", { class: `player p${side}` }, this.#data.engines[game.players[side - 1]]);
    const result = ["½ – ½", "1 – 0", "0 – 1"][game.winner];
    $("players").replaceChildren(player(1), html("strong", {}, result), player(2));
    this.#drawMoves();
    this.#drawGraph();
    this.go(ply ?? this.#moves.length);
  }

  /** Shows the position after this many moves. */
  go(ply) {
    if (!this.#game) return;
    this.#ply = Math.max(0, Math.min(ply, this.#moves.length));
    const cells = [...(this.#game.start ?? this.#data.start)];
    for (const move of this.#moves.slice(0, this.#ply)) for (const [cell, content] of move.changes) cells[cell] = content;
    const move = this.#moves[this.#ply - 1];
    const changed = (move?.changes ?? []).map(([cell]) => cell);
    const isEnd = this.#ply === this.#moves.length;
    const board = drawBoard(this.#data.layout, cells, changed, isEnd ? this.#game.winning ?? [] : []);
    board.setAttribute("aria-label", `Position after ${this.#ply} of ${this.#moves.length} moves`);
    $("board").replaceChildren(board);
    $("ply").value = this.#ply;
    $("status").replaceChildren(...this.#status(move, isEnd));
    for (const name of ["first", "back"]) $(name).disabled = this.#ply === 0;
    for (const name of ["forward", "last"]) $(name).disabled = isEnd;
    if (isEnd) this.stop();
    this.#mark();
    this.#onMove(this.#game.number, this.#ply);
  }

  #status(move, isEnd) {
    const number = `${this.#ply}/${this.#moves.length}`;
    const parts = [move ? `${number} player ${move.side}: ${move.text}` : `${number} start`];
    if (move?.isOpening) parts.push("opening");
    if (move?.score) parts.push(move.score.text);
    if (move?.said) parts.push(move.said);
    const nodes = [html("span", {}, parts.join(" · "))];
    if (isEnd) {
      nodes.push(html("span", { class: this.#game.forfeit ? "end bad" : "end" }, this.#ending()));
      if (this.#game.broken) nodes.push(html("span", { class: "end bad" }, `${this.#game.broken} more recorded moves break the rules`));
    }
    return nodes;
  }

  /** How the game ended, in words. */
  #ending() {
    const { winner, reason, detail, forfeit } = this.#game;
    const how = winner === 0 ? "Draw" : `Player ${winner} wins${forfeit ? " by forfeit" : ""}`;
    const why = reason === "draw" ? "" : ` (${reason})`;
    return how + why + (detail ? `: ${detail}` : "");
  }

  toggle() {
    if (!this.#game) return;
    if (this.#timer) return this.stop();
    if (this.#ply === this.#moves.length) this.go(0);
    this.#timer = setInterval(() => this.go(this.#ply + 1), 700);
    $("play").textContent = "❚❚ pause";
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = null;
    $("play").textContent = "▶︎ play";
  }

  #drawMoves() {
    const item = (move, at) => {
      const score = move.score ? html("span", { class: "score" }, move.score.text) : "";
      return html("li", {}, html("button", { type: "button", "data-ply": at + 1, title: move.said, class: move.isOpening ? "opening" : null, onclick: () => this.go(at + 1) },
        html("span", { class: `dot p${move.side}` }), html("span", { class: "number" }, `${at + 1}`), html("b", {}, move.text), score));
    };
    $("moves").replaceChildren(...this.#moves.map(item));
  }

  /** Scores over the game, from player 1's side, as bars. */
  #drawGraph() {
    const count = this.#moves.length;
    if (!this.#moves.some((move) => move.score)) return $("graph").replaceChildren();
    const bars = this.#moves.flatMap((move, at) => {
      if (!move.score) return [];
      const height = Math.max(1.5, Math.abs(move.score.value) * 38);
      const up = move.score.value * (move.side === 1 ? 1 : -1) >= 0;
      return [svg("rect", { class: `bar p${move.side}`, x: at + 0.1, width: 0.8, y: up ? 40 - height : 40, height }, svg("title", {}, `${at + 1} ${move.text}: ${move.score.text}`))];
    });
    const cursor = svg("rect", { class: "cursor", y: 0, width: 1, height: 80 });
    const jump = (event) => {
      const { left, width } = event.currentTarget.getBoundingClientRect();
      this.go(Math.ceil(((event.clientX - left) / width) * count));
    };
    $("graph").replaceChildren(
      svg("svg", { viewBox: `0 0 ${count} 80`, preserveAspectRatio: "none", role: "img", "aria-label": "Scores over the game, player 1 above", onclick: jump },
        cursor, ...bars, svg("path", { class: "axis", d: `M0 40h${count}` })),
    );
  }

  #mark() {
    for (const button of document.querySelectorAll("#moves [aria-current]")) button.removeAttribute("aria-current");
    const button = document.querySelector(`#moves [data-ply="${this.#ply}"]`);
    button?.setAttribute("aria-current", "step");
    const [list, item] = [$("moves"), button?.parentElement];
    list.scrollTop = item ? item.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
    document.querySelector("#graph .cursor")?.setAttribute("x", Math.max(0, this.#ply - 1));
  }
}
