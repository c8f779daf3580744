/** One device for a whole table: the curtain is lifted by holding a button, and a page that comes back, out of the
 * history or from behind another program, is asked for anew: then the curtain is there.
 */
const HOLD = 700; // milliseconds

window.addEventListener("pageshow", (event) => event.persisted && location.reload());
if (document.querySelector("[data-device]"))
  document.addEventListener("visibilitychange", () => {
    document.body.hidden = true;
    if (!document.hidden) location.reload();
  });

for (const button of document.querySelectorAll("button[data-hold]")) hold(/** @type {HTMLButtonElement} */ (button));

/** By touch or mouse it has to be held; whoever uses the keyboard presses it. @param {HTMLButtonElement} button */
function hold(button) {
  let timer = 0;
  const stop = () => {
    clearTimeout(timer);
    button.classList.remove("held");
  };
  const begin = () => {
    stop();
    button.classList.add("held");
    timer = window.setTimeout(() => button.form && button.form.submit(), HOLD);
  };
  for (const name of ["touchstart", "mousedown"]) button.addEventListener(name, begin);
  for (const name of ["touchend", "touchcancel", "mouseup", "mouseleave"]) button.addEventListener(name, stop);
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  button.addEventListener("click", (event) => event.detail && event.preventDefault());
}
