/** @import { Point } from "./types.js" */
/** @import { Viewport } from "./viewport.js" */

const AROUND = 16;
const REACHES = [26, 54, 84, 120, 165]; // pixels from the middle
const CLEAR = 20; // pixels around a place that may be touched

/**
 * @typedef {object} Petal One button of the ring.
 * @property {string} words
 * @property {string} key
 * @property {boolean} [pressed]
 * @property {() => void} act
 */

/** What may be asked for, in buttons around the place one touched. For eyes and fingers: the chips below say the same. */
export class Ring {
  /** @type {{button: HTMLElement, width: number, height: number}[]} measured once, not while the map moves */
  #petals = [];
  /** @type {Point | null} */
  #middle = null;
  /** @type {Point[]} */
  #avoided = [];
  /** Where the buttons of the map are. @type {Rect | null} */
  #tools = null;

  /** @param {HTMLElement} frame @param {Viewport} viewport */
  constructor(frame, viewport) {
    this.viewport = viewport;
    this.holder = document.createElement("div");
    this.holder.className = "ring";
    this.holder.setAttribute("aria-hidden", "true");
    frame.append(this.holder);
    for (const name of ["click", "pointerdown"]) this.holder.addEventListener(name, (event) => event.stopPropagation());
    viewport.follow(() => this.#place());
  }

  /** @param {Petal[]} petals @param {Point | null} middle of the board @param {Point[]} avoided places to keep free */
  show(petals, middle, avoided) {
    this.#middle = middle;
    this.#avoided = avoided;
    const buttons = middle ? petals.map(petalButton) : [];
    this.holder.replaceChildren(...buttons);
    this.#tools = this.#toolsInFrame();
    this.#petals = buttons.map((button) => ({ button, width: button.offsetWidth, height: button.offsetHeight }));
    this.#place();
  }

  #toolsInFrame() {
    const tools = document.querySelector(".map-tools")?.getBoundingClientRect();
    const frame = this.holder.getBoundingClientRect();
    return tools ? { x: tools.x - frame.x, y: tools.y - frame.y, width: tools.width, height: tools.height } : null;
  }

  /** Each button where it hides least. */
  #place() {
    if (!this.#middle || !this.#petals.length) return;
    const middle = this.viewport.inFrame(this.#middle);
    const { width, height } = this.viewport.room;
    const outside = middle.x < 0 || middle.y < 0 || middle.x > width || middle.y > height;
    this.holder.classList.toggle("outside", outside);
    const avoided = this.#avoided.map((point) => this.viewport.inFrame(point));
    const taken = this.#tools ? [this.#tools] : [];
    for (const { button, ...size } of this.#petals) {
      const rect = freest(middle, size, avoided, taken, { width, height });
      taken.push(rect);
      button.style.transform = `translate(${rect.x}px, ${rect.y}px)`;
    }
  }
}

/** @param {Petal} petal */
function petalButton({ words, key, pressed, act }) {
  const button = document.createElement("button");
  button.type = "button";
  button.tabIndex = -1;
  button.textContent = words;
  button.classList.toggle("pressed", pressed ?? false);
  if (key) {
    const cap = document.createElement("kbd");
    cap.textContent = key;
    button.append(cap);
  }
  button.addEventListener("click", act);
  return button;
}

/** @typedef {{x: number, y: number, width: number, height: number}} Rect */

/** @typedef {{width: number, height: number}} Size */

/** @param {Point} middle @param {Size} size @param {Point[]} avoided @param {Rect[]} taken @param {Size} room */
function freest(middle, { width, height }, avoided, taken, room) {
  let best = { x: 0, y: 0, width, height };
  let least = Infinity;
  for (let turn = 0; turn < AROUND * REACHES.length; turn++) {
    const angle = (turn / AROUND) * 2 * Math.PI - Math.PI / 2;
    const far = REACHES[Math.floor(turn / AROUND)];
    const x = middle.x + Math.cos(angle) * (far + width / 2) - width / 2;
    const y = middle.y + Math.sin(angle) * (far + height / 2) - height / 2;
    const rect = {
      x: Math.min(Math.max(x, 2), Math.max(2, room.width - width - 2)),
      y: Math.min(Math.max(y, 2), Math.max(2, room.height - height - 2)),
      width,
      height,
    };
    const cost = burden(rect, middle, avoided, taken) + turn / 60;
    if (cost < least) [best, least] = [rect, cost];
  }
  return best;
}

/** @param {Rect} rect @param {Point} middle @param {Point[]} avoided @param {Rect[]} taken */
function burden(rect, middle, avoided, taken) {
  const hidden = avoided.filter((point) => covers(rect, point, CLEAR)).length;
  const crossed = taken.filter((other) => meets(rect, other)).length;
  return hidden * 2 + crossed * 50 + (covers(rect, middle, 14) ? 40 : 0);
}

/** @param {Rect} rect @param {Point} point @param {number} slack */
function covers(rect, point, slack) {
  const across = point.x > rect.x - slack && point.x < rect.x + rect.width + slack;
  return across && point.y > rect.y - slack && point.y < rect.y + rect.height + slack;
}

/** @param {Rect} one @param {Rect} other */
function meets(one, other) {
  const across = one.x < other.x + other.width + 3 && other.x < one.x + one.width + 3;
  return across && one.y < other.y + other.height + 3 && other.y < one.y + one.height + 3;
}
