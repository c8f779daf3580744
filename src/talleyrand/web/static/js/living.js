/** @import { Scene } from "./types.js" */
import { LAYERS, Scenes, drawn } from "./layers.js";
import { motions, run } from "./motion.js";

const LOOK = 1900; // milliseconds for which a phase stands with its orders
const END = 5000;

/** A board that plays a game by itself, again and again, while somebody sees it.
 * The picture of the page stays until there is something to show, for whoever wants no motion or saves data for good.
 * @param {HTMLElement} figure
 */
export function live(figure) {
  const saving = /** @type {{connection?: {saveData?: boolean}}} */ (navigator).connection?.saveData;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches || saving) return;
  new LivingBoard(figure);
}

class LivingBoard {
  #seen = false;
  #paused = false;
  #begun = false;
  #wake = () => {};
  #moving = new AbortController();

  /** @param {HTMLElement} figure */
  constructor(figure) {
    this.figure = figure;
    this.scenes = new Scenes(figure.dataset.scene ?? "");
    this.first = Number(figure.dataset.first);
    this.last = Number(figure.dataset.last);
    this.phase = /** @type {HTMLElement} */ (figure.querySelector(".living-phase"));
    this.button = /** @type {HTMLButtonElement} */ (figure.querySelector("button"));
    this.button.addEventListener("click", () => this.#press());
    document.addEventListener("visibilitychange", () => this.#look());
    new IntersectionObserver(([entry]) => {
      this.#seen = entry.isIntersecting;
      this.#look();
    }, { threshold: 0.3 }).observe(figure);
  }

  get #plays() {
    return this.#seen && !this.#paused && !document.hidden;
  }

  #look() {
    if (!this.#plays) this.#moving.abort();
    else if (this.#begun) this.#wake();
    else void this.#begin();
  }

  #press() {
    this.#paused = !this.#paused;
    this.button.setAttribute("aria-pressed", `${this.#paused}`);
    this.#look();
  }

  async #begin() {
    this.#begun = true;
    try {
      const [svg] = await Promise.all([this.#board(), this.scenes.get(this.first)]);
      this.button.hidden = false;
      for (;;) await this.#play(svg);
    } catch {
      // The picture stands: nothing is lost but the motion.
    }
  }

  /** The picture of the page once more, as a part of the page, so that its units can move. */
  async #board() {
    const picture = /** @type {HTMLImageElement} */ (this.figure.querySelector("img"));
    const response = await fetch(picture.currentSrc || picture.src);
    if (!response.ok) throw new Error(String(response.status));
    // Its style is taken by a script: as an element the content policy would refuse it.
    const [before, style = "", after = ""] = (await response.text()).split(/<style>|<\/style>/);
    const svg = new DOMParser().parseFromString(before + after, "image/svg+xml").documentElement;
    const sheet = new CSSStyleSheet();
    await sheet.replace(style.replace(/@font-face\s*{[^}]*}/g, "")); // the page has these faces already
    document.adoptedStyleSheets.push(sheet);
    svg.setAttribute("aria-hidden", "true");
    picture.replaceWith(svg);
    return svg;
  }

  /** @param {Element} svg */
  async #play(svg) {
    for (let number = this.first; number <= this.last; number++) {
      const scene = await this.scenes.get(number);
      await this.#turn();
      this.phase.textContent = scene.title;
      const laid = lay(svg, scene);
      if (number === this.last) break;
      const after = drawn((await this.scenes.get(number + 1)).layers["layer-units"]);
      await this.#rest(LOOK);
      await this.#turn();
      this.#moving = new AbortController();
      if (after) await run(motions(laid["layer-units"], laid["layer-orders"], after), new Set(), this.#moving.signal);
    }
    await this.#rest(END);
  }

  /** Wait until somebody looks. */
  async #turn() {
    while (!this.#plays) await new Promise((resolve) => (this.#wake = () => resolve(undefined)));
  }

  /** @param {number} time */
  #rest(time) {
    return new Promise((resolve) => setTimeout(resolve, time));
  }
}

/** Put the layers of a phase in the place of those before. @param {Element} svg @param {Scene} scene */
function lay(svg, scene) {
  /** @type {Record<string, Element>} */
  const laid = {};
  for (const id of LAYERS) {
    const layer = drawn(scene.layers[id]);
    if (!layer) continue;
    svg.querySelector(`#${id}`)?.replaceWith(layer);
    laid[id] = layer;
  }
  return laid;
}
