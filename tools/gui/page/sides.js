// The two sides.

export const SIDES = ["p1", "p2"];

export const opponent = (side) => (side === "p1" ? "p2" : "p1");

/** The name shown to users. */
export const sideName = (side) => (side === "p1" ? "Red" : "Yellow");
