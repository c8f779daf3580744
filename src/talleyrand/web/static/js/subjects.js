/** @import { Choice, Subject } from "./types.js" */

/** The menu of a province's unit. @param {string} province */
export function menuOf(province) {
  const menu = document.getElementById(`order-${province}`);
  return menu instanceof HTMLSelectElement ? menu : null;
}

/** The subjects of the page's menus, by province. @returns {Map<string, Subject>} */
export function readSubjects() {
  const menus = /** @type {NodeListOf<HTMLSelectElement>} */ (document.querySelectorAll("select[data-province]"));
  return new Map([...menus].map((menu) => [menu.dataset.province || "", readSubject(menu)]));
}

/** @param {HTMLSelectElement} menu @returns {Subject} */
function readSubject(menu) {
  const options = [...menu.options].filter((option) => option.value);
  return {
    power: menu.dataset.power || "",
    province: menu.dataset.province || "",
    unit: menu.dataset.unit || "",
    label: (menu.labels[0].textContent || "").trim(),
    choices: options.map(readChoice),
  };
}

/** The menus are grouped by kind, and their orders are in normal form, which names its places in a fixed order.
 * @param {HTMLOptionElement} option @returns {Choice}
 */
function readChoice(option) {
  const group = /** @type {HTMLElement | null} */ (option.parentElement);
  const kind = (group && group.dataset.kind) || "";
  const words = option.value.split(" ");
  return {
    order: option.value,
    kind,
    at: placeNamed(kind, words),
    to: kind === "support" || kind === "convoy" ? words[6] || "" : "",
    label: option.text,
    needed: option.dataset.needed === "1",
  };
}

/** The place that an order names first after its unit: `A PAR - BUR` → BUR, `F NTH C A EDI - NWY` → EDI.
 * @param {string} kind @param {string[]} words of its normal form
 */
function placeNamed(kind, words) {
  if (kind === "build") return words[1];
  if (kind === "hold" || kind === "disband") return "";
  if (kind === "move" || kind === "via") return words.filter((word) => word !== "VIA").pop() || "";
  return words[kind === "retreat" ? 3 : 4] || "";
}
