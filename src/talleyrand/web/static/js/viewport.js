/** @typedef {{x: number, y: number, width: number, height: number}} Box */

const DEEPEST = 8;
const STEP = 1.5;
const DRAG = 6;

/** Zooms and moves the map by buttons, wheel, keys and fingers; tells a touch from a drag. */
export class Viewport {
  /** @type {Map<number, {x: number, y: number}>} */
  #fingers = new Map();
  #moved = 0;

  /**
   * @param {HTMLElement} frame
   * @param {SVGSVGElement} svg
   */
  constructor(frame, svg) {
    this.frame = frame;
    this.svg = svg;
    const { x, y, width, height } = svg.viewBox.baseVal;
    /** @type {Box} */
    this.whole = { x, y, width, height };
    /** @type {Box} */
    this.box = { ...this.whole };
    this.#listen();
  }

  /** Whether the last press on the map was a drag, not a touch. */
  get dragged() {
    return this.#moved > DRAG;
  }

  /** @param {number} factor @param {{x: number, y: number}} [at] a point of the board that stays in place */
  zoom(factor, at = { x: this.box.x + this.box.width / 2, y: this.box.y + this.box.height / 2 }) {
    const width = Math.min(this.whole.width, Math.max(this.whole.width / DEEPEST, this.box.width / factor));
    const scale = width / this.box.width;
    this.#show({
      x: at.x - (at.x - this.box.x) * scale,
      y: at.y - (at.y - this.box.y) * scale,
      width,
      height: this.box.height * scale,
    });
  }

  showAll() {
    this.#show({ ...this.whole });
  }

  /** @param {number} dx in board units @param {number} dy */
  move(dx, dy) {
    this.#show({ ...this.box, x: this.box.x + dx, y: this.box.y + dy });
  }

  /** The board's point under a point of the screen. @param {{x: number, y: number}} point */
  board(point) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix) return { x: 0, y: 0 };
    const found = new DOMPoint(point.x, point.y).matrixTransform(matrix.inverse());
    return { x: found.x, y: found.y };
  }

  /** @param {Box} box */
  #show(box) {
    const x = Math.min(Math.max(box.x, this.whole.x), this.whole.x + this.whole.width - box.width);
    const y = Math.min(Math.max(box.y, this.whole.y), this.whole.y + this.whole.height - box.height);
    this.box = { ...box, x, y };
    this.svg.setAttribute("viewBox", `${x} ${y} ${box.width} ${box.height}`);
    this.frame.classList.toggle("zoomed", box.width < this.whole.width);
  }

  #listen() {
    this.frame.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    this.frame.addEventListener("pointerdown", (event) => this.#press(event));
    this.frame.addEventListener("pointermove", (event) => this.#drag(event));
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) {
      window.addEventListener(name, (event) => this.#fingers.delete(event.pointerId));
    }
    this.frame.addEventListener("keydown", (event) => this.#key(event));
    this.frame.addEventListener("look", (event) => this.#show(/** @type {CustomEvent<Box>} */ (event).detail));
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    event.preventDefault();
    this.zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, this.board({ x: event.clientX, y: event.clientY }));
  }

  /** @param {PointerEvent} event */
  #press(event) {
    if (!this.#fingers.size) this.#moved = 0;
    this.#fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    const before = this.#fingers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    this.#moved += Math.hypot(now.x - before.x, now.y - before.y);
    const other = [...this.#fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) this.#pinch(before, now, other);
    else if (this.dragged) this.#pan(before, now);
    this.#fingers.set(event.pointerId, now);
  }

  /** @typedef {{x: number, y: number}} Point */
  /** @param {Point} before @param {Point} now @param {Point} other */
  #pinch(before, now, other) {
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    const apart = Math.hypot(before.x - other.x, before.y - other.y) || 1;
    this.zoom(Math.hypot(now.x - other.x, now.y - other.y) / apart, this.board(middle));
  }

  /** @param {Point} before @param {Point} now */
  #pan(before, now) {
    const from = this.board(before);
    const to = this.board(now);
    this.move(from.x - to.x, from.y - to.y);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = this.box.width / 8;
    /** @type {Record<string, () => void>} */
    const keys = {
      "+": () => this.zoom(STEP),
      "=": () => this.zoom(STEP),
      "-": () => this.zoom(1 / STEP),
      0: () => this.showAll(),
      ArrowLeft: () => this.move(-step, 0),
      ArrowRight: () => this.move(step, 0),
      ArrowUp: () => this.move(0, -step),
      ArrowDown: () => this.move(0, step),
    };
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  }
}
