// Asks before something that is hard to take back.

import { byId, closeOnBackdrop, el } from "../dom.js";
import { t } from "../i18n.js";

/** Whether the user agrees. */
export function confirmed(title, text, yes) {
  const dialog = byId("confirm-dialog");
  const { promise, resolve } = Promise.withResolvers();
  const agree = el("button", { class: "primary", id: "confirm-yes", value: "yes" }, yes);
  dialog.replaceChildren(
    el(
      "form",
      { method: "dialog" },
      el("h2", { id: "confirm-title" }, title),
      el("p", {}, text),
      el("div", { class: "buttons end" }, agree, el("button", { id: "confirm-no", value: "no" }, t("button.cancel"))),
    ),
  );
  dialog.returnValue = "";
  dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  dialog.showModal();
  byId("confirm-no").focus();
  return promise;
}

closeOnBackdrop(byId("confirm-dialog"));
