/** @import { Act } from "./types.js" */
/** @import { Ordering } from "./ordering.js" */
import { provinceOf } from "./places.js";
import { byId, say } from "./text.js";

const WAYS = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};
/** @type {Record<string, Act>} */
const ACTS = { h: "hold", d: "disband", s: "support", c: "convoy", v: "via" };

/** The board by keyboard: arrows walk over the units, then over the places where the chosen one has something to do. */
export class Cursor {
  /** @param {Ordering} ordering */
  constructor(ordering) {
    /** @type {string} a location, "" before the first key */
    this.at = "";
    this.ordering = ordering;
    ordering.frame.addEventListener("keydown", (event) => this.press(event));
    ordering.frame.addEventListener("focus", () => this.arrive());
  }

  /** What is lit for it. */
  marked() {
    this.ordering.frame.dataset.cursor = this.at;
    return { cursor: this.at ? [this.at] : [] };
  }

  /** A finger took over. */
  leave() {
    this.at = "";
  }

  arrive() {
    if (!this.ordering.frame.matches(":focus-visible") || this.at) return;
    this.go((this.ordering.aiming.active ? "" : this.waiting()) || this.stops()[0] || "");
  }

  /** Where the arrows may stop. @returns {string[]} */
  stops() {
    const { aiming, taps, subjects } = this.ordering;
    if (aiming.active) return aiming.stops();
    if (!taps.chosen) return [...subjects.keys()];
    const { target, help } = taps.targets();
    return [...target, ...help, taps.chosen.province];
  }

  /** The next unit that has no order, after the one where one stands. */
  waiting() {
    const { subjects, taps } = this.ordering;
    const places = [...subjects.keys()];
    const from = places.indexOf(provinceOf(this.at)) + 1;
    return [...places.slice(from), ...places.slice(0, from)].find((place) => !taps.given(place)) || "";
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.body.classList.contains("in-past")) return;
    if (event.target !== this.ordering.frame) return;
    const act = this.act(event);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** @param {KeyboardEvent} event @returns {(() => void) | undefined} */
  act({ key, shiftKey }) {
    const { viewport, chips } = this.ordering;
    if (key in WAYS) return shiftKey ? undefined : () => this.walk(WAYS[/** @type {keyof typeof WAYS} */ (key)]);
    if (key === "Enter" || key === " ") return () => this.enter();
    const letter = key.toLowerCase();
    if (ACTS[letter]) return () => this.ask(ACTS[letter]);
    if (letter === "u") return () => this.ordering.undo();
    if (letter === "n") return () => this.skip();
    const chip = chips[Number(key) - 1];
    if (chip) return () => this.taken(() => this.ordering.take(chip));
    return viewport.act(key);
  }

  /** @param {{x: number, y: number}} way */
  walk(way) {
    const stops = this.stops();
    const next = this.at ? this.ordering.places.next(stops, this.at, way) : this.waiting() || stops[0];
    if (next) this.go(next);
  }

  /** On to the next unit without an order. */
  skip() {
    const next = this.waiting();
    this.ordering.letGo();
    this.go(next);
  }

  /** @param {string} place */
  go(place) {
    if (!place) return;
    this.at = place;
    const point = this.ordering.places.point(place);
    if (point) this.ordering.viewport.reveal(point);
    this.ordering.light();
    byId("status").textContent = this.said(place);
  }

  /** @param {string} place */
  said(place) {
    const { aiming, taps, places, subjects } = this.ordering;
    if (aiming.active) return places.name(provinceOf(place));
    const subject = subjects.get(provinceOf(place));
    if (taps.chosen && taps.chosen !== subject) return places.name(place);
    if (!subject) return places.name(place);
    const given = subject.choices.find((choice) => choice.order === taps.given(subject.province));
    return say(given ? "here_given" : "here", { unit: subject.label, order: given ? given.label : "" });
  }

  enter() {
    if (!this.at) return;
    const { aiming, taps } = this.ordering;
    if (aiming.active) {
      aiming.tap(provinceOf(this.at));
      return;
    }
    const place = this.at;
    this.taken(() => {
      const step = taps.tap(provinceOf(place), (several) => (several.includes(place) ? place : several[0]));
      // With letters at hand for support and convoy, a move is a move.
      if (step.set) taps.reset();
      this.ordering.follow(step.say === "set_or_help" ? { ...step, say: "set" } : step);
    });
  }

  /** @param {Act} act */
  ask(act) {
    const { taps, subjects } = this.ordering;
    if (!taps.chosen) {
      if (!subjects.has(provinceOf(this.at))) return;
      const first = taps.tap(provinceOf(this.at));
      if (!taps.chosen) {
        this.taken(() => this.ordering.follow(first));
        return;
      }
    }
    this.taken(() => this.ordering.follow(taps.ask(act)));
  }

  /** After an order one stands at the next unit that waits for one; before it, at the unit itself.
   * @param {() => void} act
   */
  taken(act) {
    const { taps } = this.ordering;
    const before = taps.chosen ? taps.chosen.province : provinceOf(this.at);
    act();
    if (taps.chosen) return;
    const asks = this.ordering.chips.length > 0;
    const next = asks || !taps.given(before) ? before : this.waiting() || before;
    this.at = next;
    this.ordering.light();
    if (next === before) return;
    const point = this.ordering.places.point(next);
    if (point) this.ordering.viewport.reveal(point);
    const status = byId("status");
    status.textContent = `${status.textContent} ${say("next_unit", { unit: this.ordering.label(next) })}`;
  }
}
