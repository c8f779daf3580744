/** @import { Marks } from "./marks.js" */

/** A line of the results lights its unit on the map, and the map its line.
 * @param {HTMLElement} frame @param {Marks} marks
 */
export function linkResults(frame, marks) {
  const lines = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".result[data-province]"));
  for (const line of lines) {
    const province = line.dataset.province || "";
    for (const name of ["mouseenter", "focus"]) line.addEventListener(name, () => marks.show({ chosen: [province] }));
    for (const name of ["mouseleave", "blur"]) line.addEventListener(name, () => marks.show({}));
  }
  frame.addEventListener("click", (event) => {
    const province = marks.provinceAt(event);
    const line = [...lines].find((one) => one.dataset.province === province);
    if (!line) return;
    const holder = line.closest("details");
    if (holder) holder.open = true;
    line.focus();
    line.scrollIntoView({ block: "nearest" });
  });
}
