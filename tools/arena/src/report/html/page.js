// The page: tables, the list of games, keys and links.

const data = JSON.parse($("data").textContent);
const CHUNK = 200;

function drawTable({ title, columns, rows }) {
  const cell = (tag, text, at) => html(tag, { class: columns[at][1] ? "figure" : null, scope: tag === "th" ? "col" : null }, text);
  return html("div", { class: "scroll" }, html("table", { "aria-label": title },
    html("thead", {}, html("tr", {}, ...columns.map(([name], at) => cell("th", name, at)))),
    html("tbody", {}, ...rows.map((row) => html("tr", {}, ...row.map((text, at) => cell("td", text, at)))))));
}

function drawResults() {
  document.title = `${data.game}: ${data.engines.slice(0, 4).join(", ")}`;
  $("title").textContent = data.game;
  $("headline").textContent = data.headline;
  $("results").append(...data.tables.map(drawTable), ...data.notes.map((note) => html("p", { class: "note" }, note)));
}

/** Every engine against every other; a click on a result lists its games. */
function drawCross() {
  const results = new Map();
  for (const [one, other, wins, draws, losses] of data.cross) {
    results.set(`${one} ${other}`, [wins, draws, losses]);
    results.set(`${other} ${one}`, [losses, draws, wins]);
  }
  const cell = (one, other) => {
    const result = results.get(`${one} ${other}`);
    if (!result) return html("td", { class: "none" }, one === other ? "×" : "");
    const [wins, draws, losses] = result;
    const games = wins + draws + losses;
    const score = games ? (wins + draws / 2) / games : 0.5;
    const button = html("button", { type: "button", title: `${wins} won, ${draws} drawn, ${losses} lost`, onclick: () => filter(one, other) },
      games ? `${wins + draws / 2}/${games}` : "–");
    const node = html("td", { class: score > 0.5 ? "ahead" : score < 0.5 ? "behind" : "level" }, button);
    node.style.setProperty("--share", `${Math.round(Math.abs(score - 0.5) * 100)}%`);
    return node;
  };
  const order = data.ranking;
  const row = (one, rank) => html("tr", {}, html("th", { scope: "row" }, `${rank + 1}. ${data.engines[one]}`), ...order.map((other) => cell(one, other)));
  const head = order.map((one, rank) => html("th", { scope: "col", title: data.engines[one] }, String(rank + 1)));
  $("cross").append(html("div", { class: "scroll" }, html("table", { class: "cross", "aria-label": "Cross table" },
    html("thead", {}, html("tr", {}, html("th", {}), ...head)), html("tbody", {}, ...order.map(row)))));
}

// The address names the position that is shown, once somebody has chosen one.
let isChosen = false;
const replay = new Replay(data, (number, ply) => isChosen && history.replaceState(null, "", `#game=${number}&ply=${ply}`));
const byNumber = new Map(data.games.map((game) => [game.number, game]));
let listed = [];
let rendered = 0;
let current = null;

function isListed(game) {
  const [engine, opponent, kind] = ["engine", "opponent", "kind"].map((id) => $(id).value);
  const side = engine === "" ? 0 : game.players.indexOf(Number(engine));
  if (side < 0) return false;
  if (opponent !== "" && !(engine === "" ? game.players.includes(Number(opponent)) : game.players[1 - side] === Number(opponent))) return false;
  // Without an engine, games are seen from player 1's side.
  const own = side + 1;
  if (kind === "forfeit") return Boolean(game.forfeit);
  if (kind === "drawn") return game.winner === 0;
  if (kind === "won") return game.winner === own;
  if (kind === "lost") return game.winner !== 0 && game.winner !== own;
  return true;
}

function gameItem(game) {
  const [one, other] = game.players.map((player) => data.engines[player]);
  const plies = game.moves ? game.moves.split(" ").length : 0;
  const result = ["½–½", "1–0", "0–1"][game.winner];
  return html("li", {}, html("button", { type: "button", "data-game": game.number, onclick: () => open(game) },
    html("span", { class: "number" }, `${game.number}`),
    html("span", { class: "names" }, html("span", { class: "dot p1" }), html("span", { class: "name" }, one)),
    html("span", { class: "names" }, html("span", { class: "dot p2" }), html("span", { class: "name" }, other)),
    html("b", {}, result),
    html("span", { class: game.forfeit ? "why bad" : "why" }, `${game.reason}, ${plies} plies`)));
}

function renderMore() {
  const next = listed.slice(rendered, rendered + CHUNK);
  $("list").append(...next.map(gameItem));
  rendered += next.length;
  $("more").hidden = rendered >= listed.length;
  markGame();
}

function refresh() {
  listed = data.games.filter(isListed);
  rendered = 0;
  $("list").replaceChildren();
  $("count").textContent = listed.length === data.games.length ? grouped(listed.length) : `${grouped(listed.length)} of ${grouped(data.games.length)}`;
  renderMore();
}

function filter(engine, opponent) {
  [$("engine").value, $("opponent").value, $("kind").value] = [engine, opponent, "all"];
  refresh();
  if (listed[0]) open(listed[0]);
  $("games").scrollIntoView();
}

function open(game, ply) {
  current = game;
  replay.show(game, ply);
  markGame();
}

function markGame() {
  for (const button of document.querySelectorAll("#list [aria-current]")) button.removeAttribute("aria-current");
  const button = current && document.querySelector(`#list [data-game="${current.number}"]`);
  button?.setAttribute("aria-current", "true");
  const [list, item] = [$("list"), button?.parentElement];
  if (item && (item.offsetTop < list.scrollTop + list.offsetTop || item.offsetTop + item.offsetHeight > list.scrollTop + list.offsetTop + list.clientHeight)) {
    list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
  }
}

/** Opens the next listed game, or the one before. */
function step(distance) {
  const at = listed.indexOf(current);
  const next = listed[Math.max(0, Math.min(at + distance, listed.length - 1))];
  if (!next || next === current) return;
  while (listed.indexOf(next) >= rendered) renderMore();
  open(next);
}

function onKey(event) {
  const tag = event.target.tagName;
  if (event.ctrlKey || event.altKey || event.metaKey || tag === "SELECT" || tag === "INPUT" || !current) return;
  const onBoard = $("games").contains(event.target);
  const actions = {
    ArrowLeft: () => replay.go(replay.ply - 1),
    ArrowRight: () => replay.go(replay.ply + 1),
    n: () => step(1),
    p: () => step(-1),
    ...(onBoard && { Home: () => replay.go(0), End: () => replay.go(replay.length) }),
    ...(onBoard && tag !== "BUTTON" && { " ": () => replay.toggle() }),
  };
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

/** Shows the game that the address names: `#game=3&ply=7`. */
function openAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  const game = byNumber.get(Number(words.get("game") ?? NaN));
  const ply = words.has("ply") ? Number(words.get("ply")) : undefined;
  if (game) {
    while (listed.includes(game) && listed.indexOf(game) >= rendered) renderMore();
    open(game, Number.isInteger(ply) ? ply : undefined);
    document.querySelector(".stage").scrollIntoView();
  } else if (!current && data.games[0]) open(data.games[0]);
}

function setUpTheme() {
  const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches;
  $("theme").onclick = () => {
    const { dataset } = document.documentElement;
    dataset.theme = (dataset.theme ?? (isDark() ? "dark" : "light")) === "dark" ? "light" : "dark";
  };
}

function start() {
  drawResults();
  drawCross();
  setUpTheme();
  for (const id of ["engine", "opponent"]) {
    $(id).append(html("option", { value: "" }, "any"), ...data.engines.map((name, at) => html("option", { value: at }, name)));
    $(id).onchange = refresh;
  }
  $("kind").onchange = refresh;
  $("more").onclick = renderMore;
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", openAddress);
  refresh();
  openAddress();
  isChosen = true;
  document.documentElement.dataset.ready = "";
}

start();
