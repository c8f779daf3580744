/** @import { Point } from "./types.js" */

const GLIDE = 620;
const RETREAT = 380;
const FADE = 260;
const HALFWAY = 0.55;
const SVG = "http://www.w3.org/2000/svg";

/** One unit on its way: from where it stands to where it stands in the next phase.
 * @typedef {object} Motion
 * @property {Element} token
 * @property {Point} from
 * @property {Point | null} to null for a unit that leaves the board
 * @property {Point | null} struck how far a unit came that was thrown back
 * @property {boolean} pushed whether another one drives it out
 */

/** The units of one phase on their way to the next.
 * @param {Element} units layer of the phase left @param {Element} orders layer, with what became of each order
 * @param {Element} next layer of the units of the phase reached
 * @returns {Motion[]}
 */
export function motions(units, orders, next) {
  return [...units.children].map((token) => motion(token, orders, next));
}

/** @param {Element} token @param {Element} orders @param {Element} next @returns {Motion} */
function motion(token, orders, next) {
  const { unit = "", power = "" } = /** @type {SVGElement} */ (token).dataset;
  const order = orders.querySelector(`[data-unit="${unit}"][data-power="${power}"]`);
  const results = order?.getAttribute("data-result")?.split(" ") ?? [];
  const words = order?.getAttribute("data-order")?.split(" ") ?? [];
  const went = results.includes("moves") || results.includes("retreats");
  const place = went ? words.filter((word) => word !== "VIA").at(-1) ?? "" : unit.slice(2);
  const there = find(next, unit[0], power, place);
  return {
    token,
    from: standing(token),
    to: there ? standing(there) : null,
    struck: results.includes("bounces") ? wayOf(order) : null,
    pushed: results.includes("dislodged"),
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

/** How far a unit comes before it is thrown back. @param {Element | null} order @returns {Point | null} */
function wayOf(order) {
  const line = order?.querySelector("path.line, path.rim");
  if (!(line instanceof SVGPathElement)) return null;
  const { x, y } = line.getPointAtLength(line.getTotalLength() * HALFWAY);
  return { x, y };
}

/** Let the units go; done when they stand.
 * @param {Motion[]} all @param {AbortSignal} stop
 */
export async function run(all, stop) {
  const animations = all.flatMap(animate);
  stop.addEventListener("abort", () => animations.forEach((animation) => animation.cancel()));
  await Promise.allSettled(animations.map((animation) => animation.finished));
}

/** @param {Motion} motion @returns {Animation[]} */
function animate({ token, from, to, struck, pushed }) {
  const delay = pushed ? GLIDE - 180 : 0;
  if (!to) {
    const fading = { duration: FADE, delay: pushed ? delay : GLIDE / 2, fill: /** @type {const} */ ("forwards") };
    return [token.animate([{ opacity: 1 }, { opacity: 0 }], fading)];
  }
  const frames = struck ? [from, struck, from] : [from, to];
  if (frames.every(({ x, y }) => x === from.x && y === from.y)) return [];
  const mover = wrapped(token);
  const steps = frames.map(({ x, y }) => ({ transform: `translate(${x - from.x}px, ${y - from.y}px)` }));
  const timing = { duration: pushed ? RETREAT : GLIDE, delay, easing: "ease-in-out", fill: /** @type {const} */ ("forwards") };
  return [mover.animate(steps, timing)];
}

/** A group around a token, so that its own place and size stay untouched. @param {Element} token */
function wrapped(token) {
  const group = document.createElementNS(SVG, "g");
  token.replaceWith(group);
  group.append(token);
  return group;
}
