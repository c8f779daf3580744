/** @import { Places } from "./places.js" */
/** @import { Point } from "./types.js" */
import { provinceOf } from "./places.js";

const SVG = "http://www.w3.org/2000/svg";
const FLASH = 900;

/** What is lit on the map: the unit chosen, where it may go, what a line of the results speaks of. */
export class Marks {
  /** @param {SVGSVGElement} svg @param {string} id of the layer that holds them */
  constructor(svg, id = "layer-touch") {
    this.svg = svg;
    this.layer = svg.querySelector(`#${id}`) || document.createElementNS(SVG, "g");
    this.layer.id = id;
    if (!this.layer.isConnected) this.restore();
  }

  /** Put the empty layer into a map that was drawn anew. */
  restore() {
    this.layer.textContent = "";
    // What is lit lies under the orders: an arrow is seen on it.
    const above = this.svg.querySelector("#layer-orders");
    ((above && above.parentNode) || this.svg).insertBefore(this.layer, above);
  }

  /** @param {Record<string, Iterable<string>>} marked places by class @param {Places} [places] for those with coasts */
  show(marked, places) {
    this.layer.textContent = "";
    for (const [name, several] of Object.entries(marked)) {
      const coasts = [...several].filter((place) => place.includes("/"));
      for (const province of new Set([...several].map(provinceOf))) this.outline(province, name);
      for (const coast of coasts) this.coast(places && places.point(coast), name);
    }
  }

  /** Say of a province, by a flash, that a touch means nothing there. @param {string} province */
  flash(province) {
    const outline = this.svg.querySelector(`#p-${CSS.escape(province)}`);
    if (outline) this.flashOutline(outline);
  }

  /** @param {Element} outline */
  flashOutline(outline) {
    const copy = this.copy(outline, "illegal");
    setTimeout(() => copy.remove(), FLASH);
  }

  /** @param {string} province @param {string} name */
  outline(province, name) {
    const outline = this.svg.querySelector(`#p-${CSS.escape(province)}`);
    if (outline) this.copy(outline, name);
  }

  /** @param {Element} outline @param {string} name */
  copy(outline, name) {
    const copy = document.createElementNS(SVG, "path");
    copy.setAttribute("d", outline.getAttribute("d") || "");
    copy.setAttribute("class", `touch ${name}`);
    this.layer.append(copy);
    return copy;
  }

  /** @param {Point | null | undefined} point @param {string} name */
  coast(point, name) {
    if (!point) return;
    const ring = document.createElementNS(SVG, "circle");
    ring.setAttribute("cx", `${point.x}`);
    ring.setAttribute("cy", `${point.y}`);
    ring.setAttribute("r", "9");
    ring.setAttribute("class", `touch coast ${name}`);
    this.layer.append(ring);
  }

  /** The province that a press on the map means: a unit's token counts as its province.
   * @param {MouseEvent} event @param {number} [slack] pixels around a token that still count
   */
  provinceAt(event, slack = 0) {
    const tokens = [...this.svg.querySelectorAll("#layer-units [data-province]")];
    const over = tokens
      .map((token) => ({ token, far: reach(token, event, slack) }))
      .filter(({ far }) => far <= 1)
      .sort((one, other) => one.far - other.far);
    if (over.length) return over[0].token.getAttribute("data-province") || "";
    const target = /** @type {Element} */ (event.target);
    const within = target.closest && target.closest("[data-province]");
    return (within && within.getAttribute("data-province")) || "";
  }

  /** The kind of ground of a province, as its drawing says it: sea, coastal or inland.
   * @param {string} province
   */
  ground(province) {
    const outline = this.svg.querySelector(`#p-${CSS.escape(province)}`);
    return ["sea", "coastal", "inland"].find((name) => outline && outline.classList.contains(name)) || "";
  }
}

/** How far a press is from the middle of a token; up to 1 it is on it.
 * @param {Element} token @param {MouseEvent} point @param {number} slack
 */
function reach(token, point, slack) {
  const box = token.getBoundingClientRect();
  const across = Math.abs(point.clientX - box.left - box.width / 2) / (box.width / 2 + slack || 1);
  const down = Math.abs(point.clientY - box.top - box.height / 2) / (box.height / 2 + slack || 1);
  return Math.max(across, down);
}
