// What the sides are called.

export const nameOf = (side) => (side === "p1" ? "Red" : "Yellow");
