const SVG = "http://www.w3.org/2000/svg";

/** What is lit on the map: the unit chosen, where it may go, what a line of the results speaks of. */
export class Marks {
  /** @param {SVGSVGElement} svg */
  constructor(svg) {
    this.svg = svg;
    this.layer = document.createElementNS(SVG, "g");
    this.layer.id = "layer-touch";
    const above = svg.querySelector("#layer-labels");
    (above?.parentNode ?? svg).insertBefore(this.layer, above);
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
    const over = tokens.find((token) => inside(token.getBoundingClientRect(), event));
    if (over) return over.getAttribute("data-province") ?? "";
    const target = /** @type {Element} */ (event.target);
    return target.closest?.("[data-province]")?.getAttribute("data-province") ?? "";
  }
}

/** @param {DOMRect} box @param {MouseEvent} point */
function inside(box, point) {
  return (
    point.clientX >= box.left && point.clientX <= box.right && point.clientY >= box.top && point.clientY <= box.bottom
  );
}
