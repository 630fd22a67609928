// What a tab remembers when it is loaded again. Each tab has its own.

const KEY = "ratlla";

export function remember(table, analysis) {
  const { record, seats, paused } = table;
  const kept = { fragment: record.fragment(), seats, paused, analysis: analysis.on };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // No room, or not allowed: then nothing is remembered.
  }
}

export function recall() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY));
  } catch {
    return null;
  }
}
