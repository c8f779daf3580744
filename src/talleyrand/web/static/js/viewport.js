/** @import { Box, Point } from "./types.js" */
import { flat } from "./flat.js";

const DEEPEST = 10;
const STEP = 1.5;
const DRAG = 6;
const REST = 160; // milliseconds without movement after which the map is drawn sharp again
const GLIDE = 180;
const NARROW = 500;
/** Pixels between two places that a finger tells apart (WCAG 2.2, 2.5.8); fewer where the map is large enough to be played whole. */
const APART = 24;
const APART_WHOLE = 20;
/** Pixels a board unit: how near one goes where places lie closer. */
const NEARBY = 1.1;
/** Pixels a board unit below which units are drawn larger, and codes stand for names. */
const SMALL = 0.5;
const LARGE = 0.8;
const LEGIBLE = 0.62;
const LEGIBLE_SMALL = 1.2; // of a tall sheet and of the world, which have room for small names alone

/** Zooms and moves the map by buttons, wheel, keys and fingers; tells a touch from a drag.
 * Only the sheet's transform changes: nothing is laid out or painted anew while it moves.
 */
export class Viewport {
  /**
   * @param {HTMLElement} frame
   * @param {SVGSVGElement} svg
   */
  constructor(frame, svg) {
    /** @type {Map<number, Point>} */
    this.fingers = new Map();
    this.moved = 0;
    this.resting = 0;
    this.sharp = 1;
    this.painting = 0;
    this.gliding = 0;
    /** @type {Animation | null} */
    this.motion = null;
    /** @type {{x: number, y: number, scale: number} | null} */
    this.before = null;
    /** @type {(() => void)[]} */
    this.followers = [];
    this.frame = frame;
    this.svg = svg;
    this.sheet = /** @type {HTMLElement} */ (svg.parentElement);
    /** @type {Box} the whole of the map, in board units */
    this.whole = wholeOf(svg);
    /** @type {Box} where the sheet lies in the frame when it is not moved */
    this.rest = { x: 0, y: 0, width: 1, height: 1 };
    this.room = { width: 1, height: 1 };
    this.x = 0;
    this.y = 0;
    this.scale = 1;
    this.measure();
    this.listen();
    this.settle();
  }

  /** Whether the last press on the map was a drag, not a touch. */
  get dragged() {
    return this.moved > DRAG;
  }

  /** Pixels a board unit. */
  get size() {
    return (this.rest.width * this.scale) / this.whole.width;
  }

  /** Call this whenever the map has moved. @param {() => void} follower */
  follow(follower) {
    this.followers.push(follower);
  }

  /** The map has another shape from now on. @param {string} box its view box */
  reshape(box) {
    this.svg.setAttribute("viewBox", box);
    this.whole = wholeOf(this.svg);
    document.documentElement.style.setProperty("--ratio", `${this.whole.width / this.whole.height}`);
    this.measure();
    this.showAll();
  }

  /** @param {number} factor @param {Point} [at] a point of the frame that stays in place */
  zoom(factor, at = { x: this.room.width / 2, y: this.room.height / 2 }) {
    const scale = Math.min(DEEPEST, Math.max(1, this.scale * factor));
    const grown = scale / this.scale;
    const [left, top] = [at.x - this.rest.x, at.y - this.rest.y];
    this.place(left - (left - this.x) * grown, top - (top - this.y) * grown, scale);
  }

  showAll() {
    this.before = null;
    this.place(0, 0, 1);
  }

  /** @param {number} dx in pixels @param {number} dy */
  move(dx, dy) {
    this.place(this.x + dx, this.y + dy, this.scale);
  }

  /** The board's point under a point of the screen. @param {Point} point @returns {Point} */
  board(point) {
    const frame = this.frame.getBoundingClientRect();
    const unit = this.size;
    return {
      x: this.whole.x + (point.x - frame.left - this.frame.clientLeft - this.rest.x - this.x) / unit,
      y: this.whole.y + (point.y - frame.top - this.frame.clientTop - this.rest.y - this.y) / unit,
    };
  }

  /** Where a point of the board lies in the frame. @param {Point} point @returns {Point} */
  inFrame(point) {
    const unit = this.size;
    return {
      x: this.rest.x + this.x + (point.x - this.whole.x) * unit,
      y: this.rest.y + this.y + (point.y - this.whole.y) * unit,
    };
  }

  /** Show a part of the board as large as the frame allows. @param {Box} box */
  show(box) {
    const scale = Math.min(
      (this.room.width / box.width / this.rest.width) * this.whole.width,
      (this.room.height / box.height / this.rest.width) * this.whole.width,
    );
    this.before = null;
    const { x, y } = this.centred({ x: box.x + box.width / 2, y: box.y + box.height / 2 }, scale);
    this.place(x, y, Math.min(DEEPEST, Math.max(1, scale)));
  }

  /** Go near some points, where they lie out of sight or too close for a finger, until `retire`. @param {Point[]} points */
  approach(points) {
    const byFinger = matchMedia("(pointer: coarse)").matches || this.room.width < NARROW;
    const apart = closest(points) * this.size >= (this.size < LARGE ? APART : APART_WHOLE);
    const clear = apart && points.every((point) => this.shows(this.inFrame(point)));
    if (!byFinger || this.size >= NEARBY || clear) return;
    const xs = points.map((point) => point.x);
    const ys = points.map((point) => point.y);
    const [width, height] = [Math.max(...xs) - Math.min(...xs) + 70, Math.max(...ys) - Math.min(...ys) + 70];
    const fit = (Math.min(this.room.width / width, this.room.height / height, NEARBY) * this.scale) / this.size;
    const scale = Math.max(this.scale, Math.min(DEEPEST, fit));
    const middle = { x: (Math.max(...xs) + Math.min(...xs)) / 2, y: (Math.max(...ys) + Math.min(...ys)) / 2 };
    this.before = this.before || { x: this.x, y: this.y, scale: this.scale };
    this.glide({ ...this.centred(middle, scale), scale });
  }

  /** Back to where one was before `approach`. */
  retire() {
    if (this.before) this.glide(this.before);
    this.before = null;
  }

  /** Bring a point into sight. @param {Point} point */
  reveal(point) {
    const { x, y } = this.inFrame(point);
    const margin = Math.min(60, this.room.width / 5, this.room.height / 5);
    const dx = Math.max(0, margin - x) - Math.max(0, x - this.room.width + margin);
    const dy = Math.max(0, margin - y) - Math.max(0, y - this.room.height + margin);
    if (dx || dy) this.move(dx, dy);
  }

  /** @param {Point} point of the frame */
  shows({ x, y }) {
    return x >= 0 && y >= 0 && x <= this.room.width && y <= this.room.height;
  }

  /** @param {Point} middle a point of the board @param {number} scale */
  centred(middle, scale) {
    const unit = (this.rest.width * scale) / this.whole.width;
    return {
      x: this.room.width / 2 - this.rest.x - (middle.x - this.whole.x) * unit,
      y: this.room.height / 2 - this.rest.y - (middle.y - this.whole.y) * unit,
    };
  }

  /** @param {{x: number, y: number, scale: number}} goal */
  glide(goal) {
    cancelAnimationFrame(this.gliding);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.place(goal.x, goal.y, goal.scale);
      return;
    }
    const from = { x: this.x, y: this.y, scale: this.scale };
    const begun = performance.now();
    this.frame.classList.add("gliding");
    /** @param {number} now */
    const step = (now) => {
      const part = Math.min(1, Math.max(0, now - begun) / GLIDE);
      const eased = part * (2 - part);
      /** @param {number} a @param {number} b */
      const mix = (a, b) => a + (b - a) * eased;
      this.place(mix(from.x, goal.x), mix(from.y, goal.y), mix(from.scale, goal.scale), false);
      if (part < 1) this.gliding = requestAnimationFrame(step);
      else this.frame.classList.remove("gliding");
    };
    this.gliding = requestAnimationFrame(step);
  }

  stop() {
    cancelAnimationFrame(this.gliding);
    this.frame.classList.remove("gliding");
  }

  /** @param {number} x @param {number} y @param {number} scale @param {boolean} [byHand] */
  place(x, y, scale, byHand = true) {
    if (byHand) this.stop();
    this.scale = scale;
    this.x = within(x, this.rest.x, this.rest.width * scale, this.room.width);
    this.y = within(y, this.rest.y, this.rest.height * scale, this.room.height);
    // Fingers tell more often than the screen shows.
    if (this.fingers.size) this.painting = this.painting || requestAnimationFrame(() => this.write());
    else this.write();
  }

  write() {
    this.painting = 0;
    this.frame.classList.add("moving");
    this.carry(this.transform);
    for (const follower of this.followers) follower();
    this.becalm();
  }

  get transform() {
    return `translate3d(${this.x}px, ${this.y}px, 0) scale(${this.scale})`;
  }

  /** By an animation that stands still: browsers then move the painted sheet without looking at what is on it.
   * @param {string} transform
   */
  carry(transform) {
    const frames = { transform: [transform, transform] };
    if (!window.KeyframeEffect) {
      this.sheet.style.transform = transform;
      return;
    }
    if (this.motion && this.motion.effect instanceof KeyframeEffect) {
      this.motion.effect.setKeyframes(frames);
      return;
    }
    this.motion = this.sheet.animate(frames, { duration: 1, fill: "both" });
    this.motion.pause();
  }

  /** Where it was carried to, it lies. */
  lay() {
    this.sheet.style.transform = this.transform;
    if (this.motion) this.motion.cancel();
    this.motion = null;
  }

  /** Settle once nothing has moved for a moment and no finger is left on the map. */
  becalm() {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => (this.fingers.size ? this.becalm() : this.settle()), REST);
  }

  /** Draw the map sharp at the size it has now; where that is the same, what was drawn stays. */
  settle() {
    this.lay();
    if (this.sharp !== this.scale) this.redraw();
    this.frame.classList.toggle("zoomed", this.scale > 1.001);
    this.mark("zoom", this.size < SMALL ? "far" : this.size < LARGE ? "middle" : "near");
    const small = this.whole.height > this.whole.width || document.getElementById("find-region");
    const legible = small ? LEGIBLE_SMALL : LEGIBLE;
    this.mark("names", this.size < legible ? "off" : "on");
  }

  /** Without its layer the map is drawn anew; put back on one, it is ready for the next movement. */
  redraw() {
    this.sharp = this.scale;
    this.frame.classList.remove("moving");
    if (this.scale === 1) return;
    requestAnimationFrame(() => requestAnimationFrame(() => this.frame.classList.add("moving")));
  }

  /** @param {string} name @param {string} value */
  mark(name, value) {
    if (this.svg.dataset[name] !== value) this.svg.dataset[name] = value;
  }

  measure() {
    this.room = { width: this.frame.clientWidth, height: this.frame.clientHeight };
    const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = this.sheet;
    this.rest = { x: offsetLeft, y: offsetTop, width: offsetWidth || 1, height: offsetHeight || 1 };
  }

  listen() {
    this.frame.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.frame.addEventListener("pointerdown", (event) => this.press(event));
    this.frame.addEventListener("pointermove", (event) => this.drag(event), { passive: true });
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) {
      window.addEventListener(name, (event) => this.fingers.delete(event.pointerId));
    }
    this.frame.addEventListener("look", (event) => this.show(/** @type {CustomEvent<Box>} */ (event).detail));
    const resized = () => {
      const size = this.rest.width;
      this.measure();
      const grown = this.rest.width / size;
      if (grown !== 1 || this.scale > 1) this.place(this.x * grown, this.y * grown, this.scale);
    };
    if (window.ResizeObserver) new ResizeObserver(resized).observe(this.frame);
    else window.addEventListener("resize", resized);
  }

  /** @param {Point} point of the screen @returns {Point} of the frame */
  at(point) {
    const frame = this.frame.getBoundingClientRect();
    return { x: point.x - frame.left - this.frame.clientLeft, y: point.y - frame.top - this.frame.clientTop };
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1;
    const turned = Math.max(-120, Math.min(120, event.deltaY * lines));
    this.zoom(2 ** (-turned / (event.ctrlKey ? 60 : 300)), this.at({ x: event.clientX, y: event.clientY }));
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (!this.fingers.size) this.moved = 0;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    this.moved += Math.hypot(now.x - before.x, now.y - before.y);
    const [, other] = [...this.fingers].find(([id]) => id !== event.pointerId) || [];
    if (other) this.pinch(before, now, other);
    else if (this.dragged && (this.scale > 1 || event.pointerType === "mouse")) {
      this.move(now.x - before.x, now.y - before.y);
    }
    this.fingers.set(event.pointerId, now);
  }

  /** @param {Point} before @param {Point} now @param {Point} other */
  pinch(before, now, other) {
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    const apart = Math.hypot(before.x - other.x, before.y - other.y) || 1;
    this.zoom(Math.hypot(now.x - other.x, now.y - other.y) / apart, this.at(middle));
    this.move((now.x - before.x) / 2, (now.y - before.y) / 2);
  }

  /** What a key does to the map. @param {string} key @returns {(() => void) | undefined} */
  act(key) {
    const step = this.room.width / 6;
    /** @type {Record<string, () => void>} */
    const acts = {
      "+": () => this.zoom(STEP),
      "=": () => this.zoom(STEP),
      "-": () => this.zoom(1 / STEP),
      0: () => this.showAll(),
      ArrowLeft: () => this.move(step, 0),
      ArrowRight: () => this.move(-step, 0),
      ArrowUp: () => this.move(0, step),
      ArrowDown: () => this.move(0, -step),
    };
    return acts[key];
  }
}

/** @param {SVGSVGElement} svg @returns {Box} */
function wholeOf(svg) {
  const { x, y, width, height } = svg.viewBox.baseVal;
  return { x, y, width, height };
}

/** How far the two nearest of some points are apart. @param {Point[]} points */
function closest(points) {
  const gaps = flat(points.map((one, at) => points.slice(at + 1).map((other) => Math.hypot(one.x - other.x, one.y - other.y))));
  return Math.min(...gaps);
}

/** Where the sheet may be moved to: it fills the frame, or lies in its middle.
 * @param {number} moved @param {number} rest @param {number} size @param {number} room
 */
function within(moved, rest, size, room) {
  if (size <= room) return (room - size) / 2 - rest;
  return Math.min(-rest, Math.max(room - size - rest, moved));
}
