// The two sides.

import { t } from "./i18n.js";

export const SIDES = ["p1", "p2"];

export const opponent = (side) => (side === "p1" ? "p2" : "p1");

/** The name shown to users. */
export const sideName = (side) => t(`side.${side}`);
