/** Orders lie behind a curtain that a finger lifts as long as it holds it: a button, or the space bar. */
import { byId } from "./text.js";

const CONTROLS = "input, textarea, select, button, a, summary";

/** @returns {{lower: () => void}} */
export function openCurtain() {
  const button = byId("curtain-hold");
  const open = /** @type {HTMLInputElement} */ (byId("curtain-keep"));
  let held = false;
  const show = () => {
    document.body.classList.toggle("curtained", !held && !open.checked);
    button.setAttribute("aria-pressed", `${held}`);
  };
  const hold = (/** @type {boolean} */ down) => {
    held = down;
    show();
  };
  const lower = () => {
    open.checked = false;
    hold(false);
  };
  for (const name of ["touchstart", "mousedown"]) button.addEventListener(name, () => hold(true));
  for (const name of ["touchend", "touchcancel", "mouseup", "mouseleave"]) button.addEventListener(name, () => hold(false));
  button.addEventListener("contextmenu", (event) => event.preventDefault()); // a long touch asks for it
  open.addEventListener("change", show);
  document.addEventListener("keydown", (event) => {
    if (event.key !== " " || !free(event.target, button)) return;
    event.preventDefault();
    hold(true);
  });
  document.addEventListener("keyup", (event) => {
    if (event.key === " ") hold(false);
  });
  // It comes down by itself when nobody looks.
  document.addEventListener("visibilitychange", () => document.hidden && lower());
  addEventListener("blur", () => hold(false));
  addEventListener("pagehide", lower);
  keepFromTaps();
  show();
  return { lower };
}

/** Whether the space bar has nothing else to do there. @param {EventTarget | null} target @param {HTMLElement} button */
function free(target, button) {
  return target === button || !(target instanceof Element) || !target.closest(CONTROLS);
}

/** A map that is shown to a neighbour takes no orders. */
function keepFromTaps() {
  const stop = (/** @type {Event} */ event) => {
    if (document.body.classList.contains("curtained")) event.stopPropagation();
  };
  byId("viewport").addEventListener("click", stop, true);
}
