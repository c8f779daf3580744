import { replaceLayer } from "./layers.js";
import { Marks } from "./marks.js";
import { say } from "./text.js";

/**
 * @typedef {object} Link One step of a chain of causes.
 * @property {string} sentence
 * @property {string[]} provinces
 * @property {Record<string, string>} layers by id
 */
/** @typedef {{order: string, frame: number[], steps: Link[]}} Chain `frame`: the part of the board it plays in */

/** Where the map stands above the results, the steps stand right below it. */
const NARROW = "(width <= 60rem)";
const LAYERS = ["layer-orders", "layer-marks"];

/** The chain of causes of one order, drawn on the map of the board. */
class Unfolded {
  /** @param {Chain} chain @param {HTMLElement} link @param {SVGSVGElement} svg */
  constructor(chain, link, svg) {
    this.chain = chain;
    this.link = link;
    this.marks = new Marks(svg, "layer-why");
    this.svg = svg;
    this.whole = svg.getAttribute("viewBox")?.split(" ").map(Number) ?? [];
    this.before = LAYERS.map((id) => /** @type {const} */ ([id, svg.querySelector(`#${id}`)?.outerHTML ?? ""]));
    this.panel = this.#build();
    this.at = 0;
  }

  open() {
    const narrow = matchMedia(NARROW).matches;
    if (narrow) document.querySelector(".map-frame")?.after(this.panel);
    else this.link.closest(".result")?.append(this.panel);
    if (narrow) this.#look(this.chain.frame);
    document.body.classList.add("unfolding");
    this.link.setAttribute("aria-expanded", "true");
    this.show(0);
    this.panel.focus({ preventScroll: true });
    const seen = narrow ? document.querySelector(".map-frame") : this.panel;
    seen?.scrollIntoView({ block: narrow ? "start" : "nearest" });
  }

  close() {
    for (const [id, layer] of this.before) replaceLayer(id, layer);
    this.marks.show({});
    this.panel.remove();
    document.body.classList.remove("unfolding");
    this.#look(this.whole);
    this.link.setAttribute("aria-expanded", "false");
    this.link.focus();
  }

  /** @param {number} step */
  show(step) {
    this.at = Math.min(Math.max(step, 0), this.chain.steps.length - 1);
    const { layers, provinces } = this.chain.steps[this.at];
    for (const [id, layer] of Object.entries(layers)) replaceLayer(id, layer);
    this.marks.show({ chosen: provinces });
    for (const [number, button] of this.panel.querySelectorAll("ol button").entries()) {
      if (number === this.at) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
    const current = `${this.at + 1} / ${this.chain.steps.length}`;
    /** @type {HTMLElement} */ (this.panel.querySelector(".count")).textContent = current;
    const spoken = /** @type {HTMLElement} */ (this.panel.querySelector("[role=status]"));
    spoken.textContent = `${current}. ${this.chain.steps[this.at].sentence}`;
  }

  /** @param {number[]} frame the part of the board to show */
  #look([x, y, width, height]) {
    this.svg.closest("#viewport")?.dispatchEvent(new CustomEvent("look", { detail: { x, y, width, height } }));
  }

  #build() {
    const panel = document.createElement("section");
    panel.className = "unfolded no-print";
    panel.id = "why";
    panel.tabIndex = -1;
    panel.setAttribute("aria-labelledby", "why-title");
    panel.append(this.#head(), this.#list(), text("p", "keys", say("why_keys")), text("p", "sr", ""));
    panel.lastElementChild?.setAttribute("role", "status");
    panel.addEventListener("keydown", (event) => this.#press(event));
    return panel;
  }

  #head() {
    const head = document.createElement("header");
    const title = text("h2", "", `${say("why")} ${this.chain.order}`);
    title.id = "why-title";
    const turns = text("div", "turns", "");
    turns.append(
      press("◀", say("why_before"), () => this.show(this.at - 1)),
      text("span", "count", ""),
      press("▶", say("why_after"), () => this.show(this.at + 1)),
      press("✕", say("why_close"), () => this.close()),
    );
    head.append(title, turns);
    return head;
  }

  #list() {
    const list = document.createElement("ol");
    for (const [number, step] of this.chain.steps.entries()) {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.append(text("span", "step-number", `${number + 1}`), text("span", "", step.sentence));
      button.addEventListener("click", () => this.show(number));
      item.append(button);
      list.append(item);
    }
    return list;
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.chain.steps.length - 1;
    const to = { ArrowLeft: this.at - 1, ArrowUp: this.at - 1, ArrowRight: this.at + 1, ArrowDown: this.at + 1, Home: 0, End: last };
    const step = to[/** @type {keyof typeof to} */ (event.key)];
    if (event.key !== "Escape" && step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (step === undefined) this.close();
    else this.show(step);
  }
}

/** @param {string} tag @param {string} name @param {string} words */
function text(tag, name, words) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.textContent = words;
  return element;
}

/** @param {string} sign @param {string} name @param {() => void} act */
function press(sign, name, act) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "small";
  button.title = name;
  button.setAttribute("aria-label", name);
  button.textContent = sign;
  button.addEventListener("click", act);
  return button;
}

/** @type {Unfolded | null} */
let shown = null;

/** @param {HTMLAnchorElement} link @param {SVGSVGElement} svg */
async function unfold(link, svg) {
  const same = shown?.link === link && shown.panel.isConnected;
  if (shown?.panel.isConnected) shown.close();
  if (same) return;
  try {
    const response = await fetch(new URL("steps.json", link.href));
    if (!response.ok) throw new Error(String(response.status));
    shown = new Unfolded(await response.json(), link, svg);
    shown.open();
  } catch {
    location.href = link.href;
  }
}

/** Let each link to a reason within a part of the page unfold it on the map. @param {ParentNode} within */
export function openReasons(within) {
  const svg = document.querySelector("#viewport svg");
  if (!(svg instanceof SVGSVGElement)) return;
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (within.querySelectorAll("a.ask"))) {
    link.setAttribute("aria-expanded", "false");
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      unfold(link, svg);
    });
  }
}

openReasons(document);
