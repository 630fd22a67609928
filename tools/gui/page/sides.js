// The two sides.

export const SIDES = ["p1", "p2"];

export const other = (side) => (side === "p1" ? "p2" : "p1");
