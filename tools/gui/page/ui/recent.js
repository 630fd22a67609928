// The list of recent games on the start screen.

import { el, icon } from "../dom.js";
import { gameTitle } from "../games.js";
import { language, t } from "../i18n.js";

/** The nodes of the list; none if there are no games. `open` gets the stored game. */
export function recentGames(store, open) {
  const list = el("ul", { class: "recent" });
  const draw = () => {
    const when = new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "short" });
    const games = store.recent();
    const item = (stored) => {
      const title = gameTitle(stored.tree.game.split(" ")[0]);
      const note = `${t("moves.count", { ply: stored.ply, all: stored.tree.moves.length })} · ${when.format(stored.time)}`;
      const remove = () => {
        store.remove(stored.tree.id);
        draw();
      };
      return el(
        "li",
        {},
        el("button", { type: "button", "data-recent": stored.tree.id, onclick: () => open(stored) }, title, el("small", {}, note)),
        el("button", { type: "button", class: "icon plain", "aria-label": t("start.remove"), title: t("start.remove"), onclick: remove }, icon("close")),
      );
    };
    list.replaceChildren(...games.map(item));
  };
  draw();
  return list.children.length ? [el("h3", { class: "legend" }, t("start.recent")), list] : [];
}
