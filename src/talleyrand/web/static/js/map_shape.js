/** @import { Viewport } from "./viewport.js" */
import { replaceMap } from "./layers.js";
import { keepChoice } from "./look.js";

/** The shape of the map: bent for the shape of the window, unless the reader chose one. The server draws it; the page
 * puts it in place of what it shows, and tells its parts by the event `reshaped`.
 * @param {HTMLElement} frame @param {Viewport} viewport
 */
export function openShapes(frame, viewport) {
  const known = viewport.svg.dataset.shapes;
  const choices = document.getElementById("look-shapes");
  if (!known || !choices) return;
  choices.hidden = false;
  const hasTall = known.split(" ").includes("tall");
  const label = /** @type {HTMLElement} */ (/** @type {Element} */ (choices.querySelector('[value="tall"]')).closest("label"));
  label.hidden = !hasTall;
  const tall = matchMedia("(max-aspect-ratio: 10/11)");
  const chosen = () => {
    const checked = choices.querySelector("input:checked");
    return checked ? checked.getAttribute("value") || "" : "fitted";
  };
  const fit = () => {
    keepChoice("window", tall.matches ? "tall" : "wide");
    const shown = viewport.whole.width < viewport.whole.height;
    if (hasTall && chosen() === "fitted" && shown !== tall.matches) change(frame, viewport);
  };
  tall.addListener(fit); // `addEventListener` came to it with Safari 14
  choices.addEventListener("change", () => {
    keepChoice("shape", chosen());
    change(frame, viewport);
  });
  fit();
}

/** Show the map that the server now draws; what is chosen and written stays.
 * @param {HTMLElement} frame @param {Viewport} viewport
 */
async function change(frame, viewport) {
  const response = await fetch(location.href).catch(() => null);
  if (!response || !response.ok) return;
  const page = replaceMap(viewport.svg, await response.text());
  if (!page) return;
  const [places, others] = [document.getElementById("places"), page.getElementById("places")];
  if (places && others) places.textContent = others.textContent;
  viewport.reshape(viewport.svg.getAttribute("viewBox") || "");
  frame.dispatchEvent(new Event("reshaped"));
}
