import { openFind } from "./find.js";
import { openHelp } from "./help.js";
import { openLook } from "./look.js";
import { Marks } from "./marks.js";
import { openShapes } from "./map_shape.js";
import { byId } from "./text.js";
import { Viewport } from "./viewport.js";

/** The page's map, with its buttons to zoom and the sheet of its keys. */
export function openMap() {
  const frame = byId("viewport");
  const svg = /** @type {SVGSVGElement} */ (frame.querySelector("svg"));
  const viewport = new Viewport(frame, svg);
  byId("zoom-in").addEventListener("click", () => viewport.zoom(1.5));
  byId("zoom-out").addEventListener("click", () => viewport.zoom(1 / 1.5));
  byId("zoom-all").addEventListener("click", () => viewport.showAll());
  openLook();
  openHelp(frame);
  const marks = new Marks(svg);
  frame.addEventListener("reshaped", () => marks.restore());
  openFind(viewport, marks);
  openShapes(frame, viewport);
  return { frame, viewport, marks };
}

/** Plain keys move the map of a board that takes no orders. @param {HTMLElement} frame @param {Viewport} viewport */
export function moveByKeys(frame, viewport) {
  frame.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key.startsWith("Arrow"))) return;
    const act = viewport.act(event.key);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
}
