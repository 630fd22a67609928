// What is wrong with the layout of the page, or of the dialog that is open: texts that are cut off, controls
// that overlap each other or leave the window.
(() => {
  const root = document.querySelector("dialog[open]") ?? document.querySelector(".app");
  const name = (node) => `${node.localName}${node.id ? `#${node.id}` : ""}${node.classList.length ? `.${[...node.classList].join(".")}` : ""} "${node.textContent.slice(0, 30)}"`;
  const box = (node) => node.getBoundingClientRect();
  const isShown = (node) => node.checkVisibility({ visibilityProperty: true }) && box(node).width > 0;
  const all = (selector) => [...root.querySelectorAll(selector)].filter(isShown);
  const wrong = [];
  // These may end in an ellipsis, or scroll.
  const shortened = "#game-title, #game-title small, #search-info, #status, .line-moves, #moves, .scroller, .panel, #board, .recent, [class=unseen]";
  for (const node of all("button, .choice > span, .choice > span > *, legend, h2, h2 > span, p, b, small, label, summary, .field, .parameters, fieldset, .player > span, dt, dd, kbd")) {
    if (node.matches(shortened) || node.closest("#board, .unseen, .line-moves")) continue;
    if (node.clientWidth > 0 && node.scrollWidth > node.clientWidth + 1) wrong.push(`cut off: ${name(node)} ${node.scrollWidth} > ${node.clientWidth}`);
    const { left, right } = box(node);
    const bounds = box(node.closest(".choice, button, fieldset, .card") ?? root);
    if (left < bounds.left - 1 || right > bounds.right + 1) wrong.push(`sticks out: ${name(node)}`);
  }
  const controls = all("button:not(.place), .choice, .switch, select, input[type=number]").filter((node) => !node.closest("#board, #lines, #moves"));
  for (const [at, node] of controls.entries()) {
    const { left, right } = box(node);
    if (left < -1 || right > innerWidth + 1) wrong.push(`outside: ${name(node)}`);
    for (const other of controls.slice(at + 1)) {
      const [one, two] = [box(node), box(other)];
      const apart = one.right <= two.left + 1 || two.right <= one.left + 1 || one.bottom <= two.top + 1 || two.bottom <= one.top + 1;
      const floats = (control) => control.closest(".submit, .toolbar, .dialog-head");
      if (!apart && floats(node) === floats(other)) wrong.push(`overlap: ${name(node)} and ${name(other)}`);
    }
  }
  if (root.matches(".app")) {
    const [frame, panel] = [document.querySelector("#board .frame"), document.querySelector(".toolbar")].map((node) => node && box(node));
    const apart = !frame || frame.right <= panel.left + 1 || frame.bottom <= panel.top + 1 || panel.bottom <= frame.top + 1 || panel.right <= frame.left + 1;
    if (!apart) wrong.push("the board and the toolbar overlap");
  }
  return [...new Set(wrong)];
})();
