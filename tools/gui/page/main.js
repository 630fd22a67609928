// Creates the parts of the page and connects them.

import { Analysis } from "./analysis.js";
import { openConnection } from "./connection.js";
import { exitMessage, GameController } from "./controller.js";
import { byId } from "./dom.js";
import { GameRecord } from "./game-record.js";
import { Rules } from "./rules.js";
import { AnalysisPanel } from "./ui/analysis.js";
import { BoardPanel } from "./ui/board.js";
import { listenToKeys } from "./ui/keyboard.js";
import { Messages } from "./ui/messages.js";
import { MovesPanel } from "./ui/moves.js";
import { NewGameDialog } from "./ui/new-game.js";
import { PlayersPanel } from "./ui/players.js";
import { SharePanel } from "./ui/share.js";
import { restore, save } from "./ui/storage.js";
import { initTheme } from "./ui/theme.js";
import { Toolbar } from "./ui/toolbar.js";

initTheme();
const messages = new Messages(byId("messages"));
const connection = openConnection();
const warnOfExit = (error) => messages.show(exitMessage(error));
const rules = new Rules(connection, warnOfExit);
const analysis = new Analysis(connection);
const controller = new GameController(connection, rules, analysis);

connection.addEventListener("lost", () => messages.pin("connection", "No connection to the server. Reconnecting …"));
connection.addEventListener("open", () => messages.unpin("connection"));
connection.addEventListener("rejected", (event) => messages.show(event.detail));
analysis.addEventListener("exited", (event) => warnOfExit(event.detail));
controller.addEventListener("message", (event) => messages.show(event.detail));

/** Opens the game in the URL, or else the last one of this tab, or else a new one. */
async function openFirstGame() {
  const saved = restore();
  if (saved?.players) controller.players = saved.players;
  analysis.on = saved?.analysis ?? false;
  const linked = location.hash.length > 1 ? GameRecord.fromFragment(location.hash) : null;
  if (location.hash.length > 1 && !linked) messages.show("The link does not contain a game.");
  const last = saved?.fragment ? GameRecord.fromFragment(saved.fragment) : null;
  for (const record of [linked, last]) {
    if (!record) continue;
    // A game from elsewhere is opened paused.
    const paused = record.fragment() === last?.fragment() ? saved.paused : record.moves.length > 0;
    try {
      return await controller.open(record, { paused });
    } catch (error) {
      messages.show(`Cannot open the game: ${error.message}`);
    }
  }
  await controller.open(controller.record);
}

await connection.ready();
const newGame = new NewGameDialog(controller, await rules.games());
for (const Panel of [BoardPanel, PlayersPanel, Toolbar, MovesPanel, AnalysisPanel]) {
  new Panel(controller, analysis, connection);
}
new SharePanel(controller, messages);
listenToKeys(controller, analysis, newGame);
controller.addEventListener("change", () => save(controller, analysis));
document.addEventListener("visibilitychange", () => controller.setHidden(document.hidden));
window.addEventListener("hashchange", async () => {
  const record = GameRecord.fromFragment(location.hash);
  if (!record || record.fragment() === controller.record.fragment()) return;
  await controller.open(record, { paused: true }).catch((error) => messages.show(error.message));
});
await openFirstGame();
document.documentElement.dataset.ready = "";
