// Shows views in a document of their own, without the page around them.
(async () => {
  const at = (path) => new URL(path, location.href).href;
  document.body.replaceChildren();
  document.head.append(Object.assign(document.createElement("meta"), { name: "viewport", content: "width=device-width" }));
  for (const sheet of ["style.css", "board.css"]) {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: at(sheet) });
    const loaded = new Promise((done, failed) => Object.assign(link, { onload: done, onerror: failed }));
    document.head.append(link);
    await loaded;
  }
  document.documentElement.style.colorScheme = "light";
  const box = document.createElement("div");
  document.body.append(box);
  document.body.style.margin = 0;
  Object.assign(box.style, { position: "fixed", inset: "0" });
  const { viewOf } = await import(at("views/index.js"));
  const frame = () => new Promise(requestAnimationFrame);
  const nothing = { playable: false, moveScores: new Map(), best: new Set(), pv: [], line: [], hint: null };
  let name = null;
  window.played = [];
  /** Shows a position, after `move` from `previous` if given, and resolves when it is at rest. */
  window.show = async (state, { previous, move, side = null, ...annotations } = {}) => {
    if (name !== state.name) {
      window.view?.destroy();
      name = state.name;
      window.view = new (viewOf(name))(box, (chosen) => window.played.push(chosen));
    }
    view.side = side;
    const shown = view.show(state, previous, move);
    window.animations = document.getAnimations().length;
    await shown;
    window.view.annotate({ ...nothing, playable: state.result === "none", ...annotations });
    await frame();
    await frame();
  };
  window.annotate = async (annotations) => {
    view.annotate({ ...nothing, playable: true, ...annotations });
    await frame();
    await frame();
  };
  window.box = (selector) => {
    const { left, top, width, height } = document.querySelector(selector).getBoundingClientRect();
    return { left, top, width, height, x: left + width / 2, y: top + height / 2 };
  };
  window.label = (place) => document.querySelector(`[data-place="${place}"]`).getAttribute("aria-label");
})();
