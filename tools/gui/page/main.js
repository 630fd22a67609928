// Puts the parts together.

import { Analysis } from "./analysis.js";
import { byId } from "./dom.js";
import { Link } from "./link.js";
import { Record } from "./record.js";
import { Referee } from "./referee.js";
import { Table } from "./table.js";
import { AnalysisPanel } from "./ui/analysis.js";
import { BoardPanel } from "./ui/board.js";
import { listenToKeys } from "./ui/keys.js";
import { Messages } from "./ui/messages.js";
import { MovesPanel } from "./ui/moves.js";
import { NewGame } from "./ui/newgame.js";
import { PlayersPanel } from "./ui/players.js";
import { SharePanel } from "./ui/share.js";
import { recall, remember } from "./ui/storage.js";
import { chooseTheme } from "./ui/theme.js";
import { ToolsPanel } from "./ui/tools.js";

chooseTheme();
const messages = new Messages(byId("messages"));
const link = new Link(`ws://${location.host}/engines`);
const engineEnded = (error) =>
  messages.warn(`The engine has ended (${error.message}). It is started again; the game is not lost.`);
const referee = new Referee(link, engineEnded);
const analysis = new Analysis(link);
const table = new Table(link, referee, analysis);

link.addEventListener("lost", () => messages.hold("connection", "No connection to the server. Trying again …"));
link.addEventListener("open", () => messages.release("connection"));
link.addEventListener("refused", (event) => messages.warn(event.detail));
analysis.addEventListener("gone", (event) => engineEnded(event.detail));
table.addEventListener("message", (event) => messages.warn(event.detail));

/** Opens the game in the address, else the one that this tab had, else a new one. */
async function begin() {
  const kept = recall();
  if (kept?.seats) table.seats = kept.seats;
  analysis.on = kept?.analysis ?? false;
  const named = location.hash.length > 1 ? Record.fromFragment(location.hash) : null;
  if (location.hash.length > 1 && !named) messages.warn("The address holds no game.");
  const last = kept?.fragment ? Record.fromFragment(kept.fragment) : null;
  for (const record of [named, last]) {
    if (!record) continue;
    // Somebody else's game is for looking at first.
    const paused = record.fragment() === last?.fragment() ? kept.paused : record.moves.length > 0;
    try {
      return await table.open(record, { paused });
    } catch (error) {
      messages.warn(`The game cannot be opened: ${error.message}`);
    }
  }
  await table.open(table.record);
}

await link.ready();
const games = await referee.games();
const newGame = new NewGame(table, games);
for (const Panel of [BoardPanel, PlayersPanel, ToolsPanel, MovesPanel, AnalysisPanel]) {
  new Panel(table, analysis, link);
}
new SharePanel(table, messages);
listenToKeys(table, analysis, newGame);
table.addEventListener("change", () => remember(table, analysis));
document.addEventListener("visibilitychange", () => table.hide(document.hidden));
window.addEventListener("hashchange", async () => {
  const record = Record.fromFragment(location.hash);
  if (!record || record.fragment() === table.record.fragment()) return;
  await table.open(record, { paused: true }).catch((error) => messages.warn(error.message));
});
await begin();
document.documentElement.dataset.ready = "";
