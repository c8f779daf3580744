/** The clock of a table, on phones and on the room's screen. Markup: `{% include "tables/clock.html" %}` with `clock` (a
 * TableMoment), `clock_json` and `clock_url` from `table_stage.clock_context(table, now)`; or by hand, any of these parts, anywhere inside
 * `<div data-table-clock="JSON" data-clock-url="…">`: `data-clock-digits`, `-title`, `-season`, `-talk`, `-waiting`, `-wishes`, `-bar` (a progress) and
 * `-sound` (a button). An input with `data-clock-mark`, anywhere on the page, gets the mark that the views of the clock ask. The element carries `data-stage`, `data-signal` ("two", "thirty", "bell" or "") and `data-talk` ("yes", "no") for styles.
 *
 * It counts by itself between what the server says, whose hour alone counts. Syntax of ES2018: phones of 2016 run it.
 * @typedef {{title: string, talk: string, may_talk: boolean}} Said
 * @typedef {{now: number, phase: number, season: string, stage: string, running: boolean, left: number | null, total: number | null,
 *   writing: number, mark: string, wishes: string[], awaited: string[], waiting: string, stages: Record<string, Said>}} Told
 * @typedef {{stage: string, left: number | null, signal: string}} Shown
 */
import * as sound from "./screen_sound.js";

const ASK = 30000; // how often the server is asked, besides when it says that something changed
const JUMP = 1500; // the device slept, or its own clock was set
const WAIT = 10000;
const GONE = 404; // the seat has moved
const TWO = 120;
const THIRTY = 30;
const FRESH = 5; // a signal that was missed by more seconds is not given any more
const SIGNALS = { writing: [0, 200], two: [200], thirty: [100, 100, 100], bell: [400, 200, 400] };

/** What is to be seen so many seconds after it was told.
 * @param {Told} told
 * @param {number} passed
 * @returns {Shown}
 */
export function shown(told, passed) {
  if (told.left === null) return { stage: told.stage, left: null, signal: "" };
  const left = Math.max(0, told.left - (told.running ? passed : 0));
  const up = told.stage === "time_up" || (told.running && !left);
  if (up) return { stage: "time_up", left: 0, signal: "bell" };
  const stage = told.running && told.writing && left <= told.writing ? "writing" : told.stage;
  const close = left <= THIRTY ? "thirty" : left <= TWO ? "two" : "";
  const long = (told.total || 0) > (close === "thirty" ? THIRTY : TWO);
  return { stage, left, signal: told.running && long ? close : "" };
}

/** The signals that were passed between two moments of a phase, the last one only; "" for none.
 * @param {Told} told
 * @param {number | null} before seconds left then
 * @param {number | null} after
 */
export function passedSignal(told, before, after) {
  if (before === null || after === null || !(told.running || told.stage === "time_up")) return "";
  const at = [[0, "bell"], [THIRTY, "thirty"], [TWO, "two"], [told.writing, "writing"]];
  for (const [seconds, name] of at) {
    const line = Number(seconds);
    if (before > line && after <= line) return line - after < FRESH ? String(name) : "";
  }
  return "";
}

/** @param {number} left */
export function digits(left) {
  const seconds = Math.ceil(left);
  const rest = seconds % 60;
  return Math.floor(seconds / 60) + ":" + (rest < 10 ? "0" : "") + rest;
}

export class TableClock {
  /** @param {HTMLElement} face @param {number} age milliseconds since what stands in it was told */
  constructor(face, age = 0) {
    this.face = face;
    this.address = face.dataset.clockUrl || "";
    /** @type {Told} */
    this.told = JSON.parse(face.dataset.tableClock || "{}");
    this.heard = Date.now() - age;
    this.wall = Date.now();
    this.steady = performance.now();
    /** @type {number | null} */
    this.before = null;
    this.phase = -1;
    this.asking = false;
    this.again = false;
    const ask = () => void this.ask();
    document.addEventListener("talleyrand:changed", ask);
    document.addEventListener("visibilitychange", () => document.hidden || ask());
    addEventListener("online", ask);
    addEventListener("pageshow", (event) => event.persisted && ask());
    setInterval(ask, ASK);
    setInterval(() => this.draw(), 250);
    this.listenForTaps();
    this.draw();
  }

  /** Ask the server again; half of the way there and back is how old its answer is. */
  async ask() {
    if (this.asking) {
      this.again = true; // what has changed since the question was asked is not in its answer
      return;
    }
    this.asking = true;
    const began = Date.now();
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), WAIT);
    try {
      const answer = await fetch(this.address, { cache: "no-store", credentials: "same-origin", signal: stop.signal });
      if (answer.ok) this.hear(await answer.json(), began);
      else if (answer.status === GONE) this.face.dispatchEvent(new CustomEvent("talleyrand:gone", { bubbles: true }));
    } catch (lost) {
      // it runs on by what it knows
    }
    clearTimeout(timer);
    this.asking = false;
    if (!this.again) return;
    this.again = false;
    await this.ask();
  }

  /**
   * @param {Told} told
   * @param {number} began when it was asked for
   */
  hear(told, began) {
    this.told = told;
    this.heard = (began + Date.now()) / 2;
    this.draw();
    for (const one of document.querySelectorAll("[data-clock-mark]")) /** @type {HTMLInputElement} */ (one).value = told.mark;
    this.face.dispatchEvent(new CustomEvent("talleyrand:clock", { bubbles: true, detail: told }));
  }

  draw() {
    this.watch();
    const now = shown(this.told, (Date.now() - this.heard) / 1000);
    const signal = this.phase === this.told.phase ? passedSignal(this.told, this.before, now.left) : "";
    this.phase = this.told.phase;
    this.before = now.left;
    this.show(now);
    if (signal) give(signal);
  }

  /** @param {Shown} now */
  show(now) {
    const told = this.told;
    const said = told.stages[now.stage] || told.stages[told.stage];
    mark(this.face, "stage", now.stage);
    mark(this.face, "signal", now.signal);
    mark(this.face, "talk", said.may_talk ? "yes" : "no");
    this.write("digits", now.left === null ? "" : digits(now.left));
    this.write("title", said.title);
    this.write("season", told.season);
    this.write("talk", said.talk);
    this.write("waiting", told.waiting);
    this.write("wishes", told.wishes.join(" · "));
    const bar = /** @type {HTMLProgressElement | null} */ (this.face.querySelector("[data-clock-bar]"));
    if (bar && now.left !== null) {
      bar.max = told.total || 1;
      bar.value = now.left;
    }
  }

  /**
   * @param {string} part
   * @param {string} text
   */
  write(part, text) {
    for (const one of this.face.querySelectorAll("[data-clock-" + part + "]")) if (one.textContent !== text) one.textContent = text;
  }

  /** The two clocks of a device drift apart where it sleeps, or where somebody sets its hour. */
  watch() {
    const wall = Date.now();
    const steady = performance.now();
    if (Math.abs(wall - this.wall - (steady - this.steady)) > JUMP) void this.ask();
    this.wall = wall;
    this.steady = steady;
  }

  /** Browsers let a page be heard only once somebody has touched it. */
  listenForTaps() {
    const button = /** @type {HTMLButtonElement | null} */ (this.face.querySelector("[data-clock-sound]"));
    if (!button) return;
    button.hidden = false;
    button.addEventListener("click", () => {
      void sound.toggle();
      button.setAttribute("aria-pressed", String(sound.isOn()));
    });
  }
}

/** How long ago the page came, in milliseconds: on a slow phone its scripts begin long after. */
function pageAge() {
  const { navigationStart, responseStart } = performance.timing;
  return Math.max(0, performance.now() - (responseStart - navigationStart));
}

/** @param {string} signal a name of SIGNALS */
function give(signal) {
  if (signal === "bell") sound.end();
  else sound.warn();
  if (navigator.vibrate) navigator.vibrate(SIGNALS[/** @type {keyof typeof SIGNALS} */ (signal)]);
}

/**
 * @param {HTMLElement} face
 * @param {string} name
 * @param {string} value
 */
function mark(face, name, value) {
  if (face.dataset[name] !== value) face.dataset[name] = value;
}

for (const face of document.querySelectorAll("[data-table-clock]")) new TableClock(/** @type {HTMLElement} */ (face), pageAge());
