/** The referee's page comes anew when the clock is at another moment than the one that its buttons are for. Whoever has
 * something open or typed keeps it.
 */
const face = /** @type {HTMLElement | null} */ (document.querySelector("[data-table-clock]"));
const first = face ? moment(JSON.parse(face.dataset.tableClock || "{}")) : "";
let sends = false; // a button has been pressed: its answer comes

document.addEventListener("submit", () => (sends = true));
addEventListener("pageshow", () => (sends = false));
document.addEventListener("talleyrand:clock", (event) => {
  const now = moment(/** @type {CustomEvent} */ (event).detail);
  if (now !== first && !sends && !document.querySelector("main details[open]")) location.reload();
});

/** @param {{mark: string, stage: string, phase: number}} told */
function moment(told) {
  return [told.mark, told.phase, told.stage === "writing" ? "talking" : told.stage].join(" ");
}
