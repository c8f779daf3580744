/** @import { Connection, Versions } from "./types.js" */

const FIRST = 10000; // what lets headers through but no news is no stream
const SILENCE = 50000; // the server gives a sign of life every twenty seconds
const LONGEST = 30000;
const PATIENCE = 2; // failures before asking instead of listening

/** What has changed of what is watched: by server-sent events, by asking now and then where these fail. */
export class Stream {
  /**
   * @param {{stream: string, versions: string}} addresses
   * @param {{changed: (now: Versions) => void, state: (state: Connection) => void, unread: (count: number) => void}} heard
   */
  constructor(addresses, heard) {
    this.addresses = addresses;
    this.heard = heard;
    /** @type {string[]} */
    this.words = [];
    /** @type {Versions} */
    this.known = {};
    this.failures = 0;
    /** @type {EventSource | null} */
    this.source = null;
    this.timer = 0;
    this.turn = 0;
    addEventListener("online", () => this.source || !this.words.length || this.open());
  }

  /** Begin, or go on with more or fewer words.
   * @param {string[]} words
   * @param {Versions} known
   */
  listen(words, known) {
    this.words = words;
    this.known = { ...known };
    this.open();
  }

  stop() {
    this.words = [];
    this.close();
  }

  close() {
    clearTimeout(this.timer);
    this.turn += 1;
    if (this.source) this.source.close();
    this.source = null;
  }

  open() {
    this.close();
    const source = new EventSource(`${this.addresses.stream}?${this.query()}`);
    this.source = source;
    source.addEventListener("ready", () => this.alive());
    source.addEventListener("beat", () => this.alive());
    source.addEventListener("changed", (event) => {
      this.alive();
      this.learn(JSON.parse(event.data));
    });
    source.addEventListener("error", () => this.failed());
    this.wait(FIRST, () => this.failed());
  }

  query() {
    const asked = new URLSearchParams(this.words.map((one) => ["topics", one]));
    asked.set("since", Object.entries(this.known).map((pair) => pair.join("~")).join(","));
    return asked;
  }

  alive() {
    this.failures = 0;
    this.heard.state("live");
    this.wait(SILENCE, () => this.failed());
  }

  /** @param {Versions} now */
  learn(now) {
    Object.assign(this.known, now);
    if (Object.keys(now).length) this.heard.changed(now);
  }

  /** Try again, later and later, and never all browsers at once. */
  async failed() {
    this.close();
    this.failures += 1;
    if (this.failures < PATIENCE) this.heard.state("waiting");
    else if (!(await this.ask())) return;
    const delay = Math.min(LONGEST, 1000 * 2 ** this.failures) * (0.5 + Math.random());
    this.wait(delay, () => this.open());
  }

  /** Ask once what has changed, and how many news wait; false where it is no use to go on. */
  async ask() {
    const turn = this.turn;
    const answer = await fetch(`${this.addresses.versions}?${this.query()}`, { cache: "no-store" }).catch(() => null);
    if (turn !== this.turn) return false;
    if (answer && answer.status === 404) return this.giveUp();
    const told = answer && answer.ok ? await answer.json().catch(() => null) : null;
    if (turn !== this.turn) return false;
    this.heard.state(this.source ? "live" : told ? "polling" : "offline");
    if (told && told.unread != null) this.heard.unread(told.unread);
    if (told) this.learn(told.changed);
    return true;
  }

  giveUp() {
    this.stop();
    this.heard.state("stale");
    return false;
  }

  /**
   * @param {number} delay
   * @param {() => void} then
   */
  wait(delay, then) {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(then, delay);
  }
}
