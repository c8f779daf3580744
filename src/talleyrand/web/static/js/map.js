import { Marks } from "./marks.js";
import { byId } from "./text.js";
import { Viewport } from "./viewport.js";

/** The page's map, with its buttons to zoom. */
export function openMap() {
  const frame = byId("viewport");
  const svg = /** @type {SVGSVGElement} */ (frame.querySelector("svg"));
  const viewport = new Viewport(frame, svg);
  byId("zoom-in").addEventListener("click", () => viewport.zoom(1.5));
  byId("zoom-out").addEventListener("click", () => viewport.zoom(1 / 1.5));
  byId("zoom-all").addEventListener("click", () => viewport.showAll());
  return { frame, viewport, marks: new Marks(svg) };
}
