/** A clock that runs by the server's hour: it says itself how much time has passed since the server told it.
 * @typedef {{title: string, left: number, length: number}} Season
 * @typedef {{running: boolean, begun: boolean, over: boolean, writing: number, seasons: Season[]}} Face
 * @typedef {{now: number, clocks: Face[]}} Told
 * @typedef {"waiting" | "paused" | "running" | "writing" | "over"} State
 * @typedef {{state: State, season: string, next: string, left: number, number: number}} Seen
 */

const ASK = 15_000; // how often the server is asked, besides when it says that something changed
const JUMP = 1500; // the laptop slept, or its own clock was set

/** What a face shows so many seconds after it was told.
 * @param {Face} face
 * @param {number} passed
 * @returns {Seen}
 */
export function seen(face, passed) {
  const gone = face.running ? passed : 0;
  const number = face.seasons.findIndex((season) => season.left > gone);
  const season = face.seasons[number];
  if (face.over || !season) return { state: "over", season: "", next: "", left: 0, number: face.seasons.length };
  const left = Math.ceil(season.left - gone);
  const running = left <= face.writing ? "writing" : "running";
  const state = face.running ? running : face.begun ? "paused" : "waiting";
  return { state, season: season.title, next: face.seasons[number + 1]?.title ?? "", left, number };
}

/** @param {number} seconds */
export function digits(seconds) {
  return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`;
}

export class Clock {
  /** @type {Told} */
  #told;
  #heard = Date.now();
  #wall = Date.now();
  #steady = performance.now();
  #asking = false;

  /**
   * @param {string} address
   * @param {Told} told
   */
  constructor(address, told) {
    this.address = address;
    this.#told = told;
    setInterval(() => void this.ask(), ASK);
    document.addEventListener("visibilitychange", () => document.hidden || void this.ask());
    addEventListener("online", () => void this.ask());
  }

  /** Ask the server again; half of the way there and back is how old its answer is. */
  async ask() {
    if (this.#asking) return;
    this.#asking = true;
    const began = Date.now();
    try {
      const answer = await fetch(this.address, { cache: "no-store", signal: AbortSignal.timeout(10_000) });
      if (answer.ok) {
        this.#told = await answer.json();
        this.#heard = (began + Date.now()) / 2;
      }
    } catch {
      // it runs on by what it knows
    } finally {
      this.#asking = false;
    }
  }

  /** What each face shows now. */
  faces() {
    this.#watch();
    const passed = (Date.now() - this.#heard + (this.#told.now % 1000)) / 1000; // it counts from a whole second
    return this.#told.clocks.map((face) => seen(face, passed));
  }

  /** The two clocks of a machine drift apart where it sleeps, or where somebody sets its hour. */
  #watch() {
    const wall = Date.now();
    const steady = performance.now();
    if (Math.abs(wall - this.#wall - (steady - this.#steady)) > JUMP) void this.ask();
    this.#wall = wall;
    this.#steady = steady;
  }
}
