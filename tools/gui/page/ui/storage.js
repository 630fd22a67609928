// The state of a tab that survives a reload. Each tab has its own.

const KEY = "ratlla";

export function save({ record, players, paused }, analysis) {
  const state = { fragment: record.fragment(), players, paused, analysis: analysis.on };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(state));
  } catch {
    // Storage is full or disabled: nothing is saved.
  }
}

export function restore() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY));
  } catch {
    return null;
  }
}
