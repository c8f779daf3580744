/** @import { Marks } from "./marks.js" */
/** @import { Viewport } from "./viewport.js" */
import { byId, say } from "./text.js";

const NEAR = 160; // units of the board around the province that is found

/** What finds a province of a large board by its name or code and goes to a region, where the page has it.
 * @param {Viewport} viewport @param {Marks} marks
 */
export function openFind(viewport, marks) {
  const [whole, field] = [document.getElementById("find"), document.getElementById("find-place")];
  if (!whole || !(field instanceof HTMLInputElement)) return;
  whole.hidden = false;
  byId("find-region").addEventListener("change", (event) => {
    const box = /** @type {HTMLSelectElement} */ (event.target).value;
    const [x, y, width, height] = box.split(" ").map(Number);
    if (box) viewport.show({ x, y, width, height });
    else viewport.showAll();
  });
  field.addEventListener("change", () => {
    const found = wanted(field.value);
    field.classList.toggle("wrong", !found && field.value !== "");
    if (!found) {
      if (field.value) byId("status").textContent = say("not_found", { text: field.value });
      return;
    }
    const [x, y] = [Number(found.dataset.x), Number(found.dataset.y)];
    viewport.show({ x: x - NEAR, y: y - NEAR, width: 2 * NEAR, height: 2 * NEAR });
    marks.flash(found.dataset.code || "");
  });
}

/** The province that a text names: whole, by its code, or by how its name begins. @param {string} text */
function wanted(text) {
  const asked = plain(text);
  const options = [...document.querySelectorAll("#find-places option")].filter((one) => one instanceof HTMLOptionElement);
  const among = (/** @type {(one: HTMLOptionElement) => boolean} */ fits) => options.find((one) => asked && fits(one));
  return (
    among((one) => plain(one.value) === asked || plain(one.dataset.code || "") === asked) ||
    among((one) => plain(one.dataset.name || "").startsWith(asked)) ||
    among((one) => plain(one.dataset.name || "").includes(asked))
  );
}

/** Without accents or capitals. @param {string} text */
function plain(text) {
  return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").trim().toLowerCase();
}
