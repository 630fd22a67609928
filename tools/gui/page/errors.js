// What went wrong, in words for people instead of the protocol's.

import { EngineError, EngineExited } from "./engine.js";
import { t } from "./i18n.js";

/** The message for the user. */
export function friendly(error) {
  if (error instanceof EngineExited) return t("message.exited");
  if (!(error instanceof EngineError)) return error.message;
  const { message } = error;
  const illegal = /move (\d+), '([^']*)'/.exec(message);
  if (illegal) return t("error.illegal", { number: illegal[1], move: illegal[2] });
  const unknown = /unknown game '([^']*)'/.exec(message);
  if (unknown) return t("error.unknownGame", { game: unknown[1] });
  if (message.startsWith("all tabs together")) return t("error.busy");
  // The command before the colon and its usage in brackets are for programs.
  return message.replace(/^\w+( '[^']*')?: /, "").replace(/ \(newgame [^)]*\)$/, "");
}
