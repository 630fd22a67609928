// Runs before the first paint, so that a dark page is never white first.
try {
  const chosen = localStorage.getItem("ratlla-theme");
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = chosen ?? (dark ? "dark" : "light");
} catch {
  document.documentElement.dataset.theme = "light";
}
