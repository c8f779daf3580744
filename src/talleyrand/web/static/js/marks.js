const SVG = "http://www.w3.org/2000/svg";

/** What is lit on the map: the unit chosen, where it may go, what a line of the results speaks of. */
export class Marks {
  /** @param {SVGSVGElement} svg @param {string} id of the layer that holds them */
  constructor(svg, id = "layer-touch") {
    this.svg = svg;
    this.layer = svg.querySelector(`#${id}`) ?? this.#insert(id);
  }

  /** @param {string} id */
  #insert(id) {
    const layer = document.createElementNS(SVG, "g");
    layer.id = id;
    const above = this.svg.querySelector("#layer-labels");
    (above?.parentNode ?? this.svg).insertBefore(layer, above);
    return layer;
  }

  /** @param {Record<string, Iterable<string>>} marked provinces by class */
  show(marked) {
    this.layer.replaceChildren();
    for (const [name, provinces] of Object.entries(marked)) {
      for (const province of provinces) this.#mark(province, name);
    }
  }

  /** @param {string} province @param {string} name */
  #mark(province, name) {
    const outline = this.svg.querySelector(`#p-${CSS.escape(province)}`);
    if (!outline) return;
    const copy = document.createElementNS(SVG, "path");
    copy.setAttribute("d", outline.getAttribute("d") ?? "");
    copy.setAttribute("class", `touch ${name}`);
    this.layer.append(copy);
  }

  /** The province that a press on the map means: a unit's token counts as its province.
   * @param {MouseEvent} event
   */
  provinceAt(event) {
    const tokens = [...this.svg.querySelectorAll("#layer-units [data-province]")];
    const over = tokens.filter((token) => reach(token, event) <= 1).sort((a, b) => reach(a, event) - reach(b, event));
    if (over.length) return over[0].getAttribute("data-province") ?? "";
    const target = /** @type {Element} */ (event.target);
    return target.closest?.("[data-province]")?.getAttribute("data-province") ?? "";
  }
}

/** How far a press is from the middle of a token; up to 1 it is on it.
 * @param {Element} token @param {MouseEvent} point
 */
function reach(token, point) {
  const box = token.getBoundingClientRect();
  const across = Math.abs(point.clientX - box.left - box.width / 2) / (box.width / 2 || 1);
  const down = Math.abs(point.clientY - box.top - box.height / 2) / (box.height / 2 || 1);
  return Math.max(across, down);
}
