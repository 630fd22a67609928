// Creates the parts of the page and connects them.

import { Analysis } from "./analysis.js";
import { Assistant } from "./assistant.js";
import { openConnection } from "./connection.js";
import { GameController } from "./controller.js";
import { addIcons, byId, coalesced } from "./dom.js";
import { restoredPlayer } from "./engine-player.js";
import { friendly } from "./errors.js";
import { GameRecord } from "./game-record.js";
import { GameTree } from "./game-tree.js";
import { loadLanguage, t, translate } from "./i18n.js";
import { Rules } from "./rules.js";
import { AnalysisPanel } from "./ui/analysis.js";
import { Announcer } from "./ui/announcer.js";
import { BoardPanel } from "./ui/board.js";
import { HowToPlay } from "./ui/how-to-play.js";
import { keysDialog, listenToKeys } from "./ui/keyboard.js";
import { Messages } from "./ui/messages.js";
import { MovesPanel } from "./ui/moves.js";
import { PlayersPanel } from "./ui/players.js";
import { PuzzlePanel } from "./ui/puzzle.js";
import { ReviewPanel } from "./ui/review.js";
import { Settings } from "./ui/settings.js";
import { SharePanel } from "./ui/share.js";
import { Sound } from "./ui/sound.js";
import { StartScreen } from "./ui/start.js";
import { StatusCard } from "./ui/status.js";
import { GameStore } from "./ui/storage.js";
import { Toolbar } from "./ui/toolbar.js";

await loadLanguage();
translate(document);
addIcons(document);
const messages = new Messages(byId("messages"));
const connection = openConnection();
const store = new GameStore();
const warn = (error) => messages.show(friendly(error));
const rules = new Rules(connection, warn);
const analysis = new Analysis(connection);
const controller = new GameController(connection, rules, analysis);

connection.addEventListener("lost", () => messages.pin("connection", t("message.lost")));
connection.addEventListener("open", () => messages.unpin("connection"));
connection.addEventListener("rejected", (event) => messages.show(t("message.rejected", { reason: event.detail })));
for (const type of ["exited", "failed"]) analysis.addEventListener(type, (event) => warn(event.detail));
controller.addEventListener("message", (event) => messages.show(event.detail));
controller.addEventListener("opened", ({ detail: { game, players } }) => {
  if (game.root.children.length) {
    messages.show(t("message.newGame"), { label: t("message.undo"), act: () => controller.open(game, { players, paused: true }) });
  }
});

/** The games. Without an engine that knows them there is no board, so the user is asked to try again. */
async function loadGames() {
  for (;;) {
    try {
      return await rules.games();
    } catch (error) {
      await new Promise((tryAgain) => {
        const text = t("message.cannotStart", { reason: friendly(error) });
        messages.pin("games", text, { label: t("message.tryAgain"), act: tryAgain });
      });
      messages.unpin("games");
    }
  }
}

/** Opens a stored game, paused. */
async function openStored({ tree, players }, paused = true) {
  const stored = GameTree.fromJSON(tree);
  const both = { p1: restoredPlayer(players?.p1), p2: restoredPlayer(players?.p2) };
  await controller.open(stored, { paused, players: both });
}

/** Opens the game in the URL, or else the last one of this tab, or else a new one. Returns whether there was one. */
async function openFirstGame() {
  const last = store.ofTab();
  analysis.on = store.analysisOfTab();
  const link = location.hash.length > 1 ? location.hash : location.search;
  const linked = link.length > 1 ? GameRecord.fromFragment(link.replace(/^\?/, "#")) : null;
  if (location.hash.length > 1 && !linked) messages.show(t("message.noGameInLink"));
  const isLast = last && (!linked || linked.fragment() === GameTree.fromJSON(last.tree)?.record.fragment());
  const tries = [];
  if (linked && !isLast) tries.push(() => controller.open(linked, { paused: linked.moves.length > 0 }));
  if (last) tries.push(() => openStored(last, last.paused));
  for (const open of tries) {
    try {
      await open();
      return true;
    } catch (error) {
      messages.show(t("message.cannotOpen", { reason: friendly(error) }));
    }
  }
  const [game] = games;
  const known = game.name === controller.record.name;
  await controller.open(known ? controller.record : new GameRecord(game.name));
  return false;
}

await connection.ready();
const games = await loadGames();
const showKeys = keysDialog();
const how = new HowToPlay(() => controller.record.name, showKeys);
const board = new BoardPanel(controller, analysis);
const assistant = new Assistant(connection);
const review = new ReviewPanel(controller, analysis, assistant);
const puzzle = new PuzzlePanel(controller, rules, assistant);
const start = new StartScreen(controller, games, store, {
  how: (name) => how.show(name),
  puzzle: () => puzzle.start(),
  open: openStored,
  check: (game) => rules.stateAt(new GameRecord(game)),
});
const rematch = () => controller.open(new GameRecord(controller.record.game, controller.record.setup), { replaces: true });
new StatusCard(controller, analysis, board, [
  { name: "rematch", label: t("ending.rematch"), act: rematch },
  { name: "review", label: t("ending.review"), act: () => review.start() },
]);
new PlayersPanel(controller, connection);
new Toolbar(controller);
new MovesPanel(controller, analysis, rules);
new AnalysisPanel(controller, analysis, rules, board);
new SharePanel(controller, rules, messages, connection);
new Settings(new Sound(controller));
new Announcer(controller);
listenToKeys(controller, analysis, showKeys);
controller.addEventListener("change", coalesced(queueMicrotask, () => store.save(controller, analysis)));
document.addEventListener("visibilitychange", () => controller.setHidden(document.hidden));
window.addEventListener("hashchange", async () => {
  const record = GameRecord.fromFragment(location.hash);
  if (!record || record.fragment() === controller.record.fragment()) return;
  await controller.open(record, { paused: true, replaces: true }).catch(warn);
});
const found = await openFirstGame();
document.documentElement.dataset.ready = "";
if (!found) start.show();
