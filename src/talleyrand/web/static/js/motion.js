/** @import { Point } from "./types.js" */
import { say } from "./text.js";

const GLIDE = 620;
const RETREAT = 380;
const FADE = 260;
const PUSHED = 180; // before another arrives, a unit gives way
const STEPS = 8; // points at which a curve is followed
const HELD = 900; // milliseconds that the units stand where they came to, before the page is as it was
const SVG = "http://www.w3.org/2000/svg";

/** One unit on its way.
 * @typedef {object} Motion
 * @property {Element} token
 * @property {Point[]} way from where it stands to where it comes to stand, there and back for one thrown back
 * @property {boolean} gone whether it leaves the board
 * @property {boolean} pushed whether another one drives it out
 * @property {string} power
 */

/** The units of one phase on their way to the next; as far as their orders tell, where that is not known.
 * @param {Element} units layer of the phase left @param {Element} orders layer, with what became of each order
 * @param {Element | null} [next] layer of the units of the phase reached
 * @returns {Motion[]}
 */
export function motions(units, orders, next = null) {
  return [...units.children].map((token) => motion(token, orders, next));
}

/** @param {Element} token @param {Element} orders @param {Element | null} next @returns {Motion} */
function motion(token, orders, next) {
  const { unit = "", power = "" } = /** @type {SVGElement} */ (token).dataset;
  const order = orders.querySelector(`[data-unit="${unit}"][data-power="${power}"]`);
  const results = order?.getAttribute("data-result")?.split(" ") ?? [];
  const words = order?.getAttribute("data-order")?.split(" ") ?? [];
  const went = results.includes("moves") || results.includes("retreats");
  const place = went ? words.filter((word) => word !== "VIA").at(-1) ?? "" : unit.slice(2);
  const there = next && find(next, unit[0], power, place);
  const from = standing(token);
  const line = went || results.includes("bounces") ? followed(order) : [];
  const end = there ? standing(there) : went ? line.at(-1) ?? from : from;
  return {
    token,
    way: went ? [from, ...line.slice(1), end] : [from, ...line.slice(1), ...[...line].reverse().slice(1), end],
    gone: next ? !there : ["disbanded", "removed", "destroyed"].some((result) => results.includes(result)),
    pushed: results.includes("dislodged"),
    power,
  };
}

/** @param {Element} layer @param {string} kind @param {string} power @param {string} place */
function find(layer, kind, power, place) {
  const province = place.split("/")[0];
  const same = [...layer.querySelectorAll(`[data-province="${province}"][data-power="${power}"]`)];
  return same.find((token) => token.getAttribute("data-unit")?.startsWith(kind)) ?? null;
}

/** @param {Element} token @returns {Point} */
function standing(token) {
  const [x, y] = token.getAttribute("transform")?.match(/-?[\d.]+/g)?.map(Number) ?? [0, 0];
  return { x, y };
}

/** The points of an order's line, from its unit on. @param {Element | null} order @returns {Point[]} */
function followed(order) {
  const line = order?.querySelector(":scope > path.line, :scope > path.rim");
  if (!(line instanceof SVGPathElement)) return [];
  const step = line.getTotalLength() / STEPS;
  return Array.from({ length: STEPS + 1 }, (_, at) => line.getPointAtLength(at * step)).map(({ x, y }) => ({ x, y }));
}

/** Let the units go, those of some powers before the others; done when they stand.
 * @param {Motion[]} all @param {Set<string>} first whose units go first @param {AbortSignal} stop
 * @param {number} [held] milliseconds that they stand there @param {number} [speed] so many times as fast
 */
export async function run(all, first, stop, held = 0, speed = 1) {
  const waits = all.some(({ power }) => first.has(power)) ? GLIDE : 0;
  const animations = all.flatMap((motion) => animate(motion, motion.pushed || !first.has(motion.power) ? waits : 0, held));
  for (const animation of animations) animation.playbackRate = speed;
  stop.addEventListener("abort", () => animations.forEach((animation) => animation.cancel()));
  await Promise.allSettled(animations.map((animation) => animation.finished));
  return animations;
}

/** Show on the page's own map what became of the orders, if it says so, then leave it as it was.
 * @param {HTMLElement} frame @param {Set<string>} first whose units go first
 */
export async function replay(frame, first) {
  const [units, orders] = ["#layer-units", "#layer-orders"].map((id) => frame.querySelector(id));
  if (!units || !orders?.querySelector("[data-result]") || still()) return;
  frame.dataset.told = say("replay");
  for (const animation of await run(motions(units, orders), first, pressed(), HELD)) animation.cancel();
  for (const group of units.querySelectorAll(":scope > .gliding")) group.replaceWith(...group.children);
  delete frame.dataset.told;
}

/** Ends with the next press or key, wherever it is: whoever begins to play is not kept waiting. */
export function pressed() {
  const control = new AbortController();
  for (const name of ["pointerdown", "keydown", "wheel"]) {
    window.addEventListener(name, () => control.abort(), { once: true, capture: true, passive: true });
  }
  return control.signal;
}

/** Whether the reader wants nothing to move. */
export function still() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** @param {Motion} motion @param {number} turn when its turn comes @param {number} held @returns {Animation[]} */
function animate({ token, way, gone, pushed }, turn, held) {
  const delay = turn + (pushed ? GLIDE - PUSHED : 0);
  const timing = { delay, endDelay: held, fill: /** @type {const} */ ("forwards") };
  if (gone) {
    const begun = pushed ? delay : turn + GLIDE / 2;
    return [token.animate([{ opacity: 1 }, { opacity: 0 }], { ...timing, duration: FADE, delay: begun })];
  }
  const [from] = way;
  if (way.every(({ x, y }) => x === from.x && y === from.y)) return [];
  const steps = way.map(({ x, y }) => ({ transform: `translate(${x - from.x}px, ${y - from.y}px)` }));
  const mover = wrapped(token);
  return [mover.animate(steps, { ...timing, duration: pushed ? RETREAT : GLIDE, easing: "ease-in-out" })];
}

/** A group around a token, so that its own place and size stay untouched. @param {Element} token */
function wrapped(token) {
  const group = document.createElementNS(SVG, "g");
  group.classList.add("gliding");
  token.replaceWith(group);
  group.append(token);
  return group;
}
