/** @import { Scene } from "./types.js" */

const SVG = "http://www.w3.org/2000/svg";
/** What tells the map of one phase from that of another, by id. */
export const LAYERS = ["layer-owners", "layer-orders", "layer-units", "layer-marks"];

/** A layer as an element. @param {string} layer as the server drew it */
export function drawn(layer) {
  const holder = document.createElementNS(SVG, "svg");
  holder.innerHTML = layer;
  return holder.firstElementChild;
}

/** Put a layer of the drawing in place of the one with its id.
 * @param {string} id @param {string} layer as the server drew it
 */
export function replaceLayer(id, layer) {
  const old = document.querySelector(`#viewport #${id}`);
  const fresh = drawn(layer);
  if (old && fresh) old.replaceWith(fresh);
}

/** Put the map of a page that was fetched in the place of the one that is shown: the same in another shape.
 * @param {Element} svg @param {string} html of that page
 */
export function replaceMap(svg, html) {
  // The page's own style sheets stay; those of another page have another nonce.
  const page = new DOMParser().parseFromString(html.replace(/<style[^]*?<\/style>/g, ""), "text/html");
  const other = page.querySelector("#viewport svg");
  if (!other) return null;
  svg.querySelectorAll(":scope > g").forEach((group) => group.remove());
  for (const group of other.querySelectorAll(":scope > g")) svg.append(document.adoptNode(group));
  svg.setAttribute("viewBox", other.getAttribute("viewBox") || "");
  return page;
}

/** The phases of a game, each fetched once; one that did not come is asked for again. */
export class Scenes {
  /** @param {string} address in which 0 stands for the number of a phase */
  constructor(address) {
    /** @type {Map<number, Promise<Scene>>} */
    this.known = new Map();
    this.address = address;
  }

  /** @param {number} number @returns {Promise<Scene>} */
  get(number) {
    const scene = this.known.get(number) || this.fetch(number);
    this.known.set(number, scene);
    scene.catch(() => this.known.delete(number));
    return scene;
  }

  /** The map has another shape: all are drawn anew. */
  clear() {
    this.known.clear();
  }

  /** @param {number} number @returns {Promise<Scene>} */
  async fetch(number) {
    const response = await fetch(this.address.replace("/0/", `/${number}/`));
    if (!response.ok) throw new Error(String(response.status));
    return response.json();
  }
}
