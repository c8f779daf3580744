/** @import { Connection, Versions, Wish } from "./types.js" */
import { flat } from "./flat.js";
import { Stream } from "./stream.js";

const GATHERING = 150; // tabs that open together make one stream
const FORGOTTEN = 180000;
const MOST = 30;

/** The one tab of a browser that hears for all: it gathers what they want and tells them what it hears. */
export class Leader {
  /**
   * @param {{stream: string, versions: string}} addresses
   * @param {{changed: (now: Versions) => void, state: (state: Connection) => void, unread: (count: number) => void}} tell
   */
  constructor(addresses, tell) {
    /** @type {Map<string, Wish>} */
    this.wishes = new Map();
    this.tell = tell;
    /** @type {Connection} */
    this.state = "waiting";
    this.opened = "";
    this.timer = 0;
    this.stream = new Stream(addresses, {
      changed: (now) => this.changed(now),
      state: (state) => tell.state((this.state = state)),
      unread: tell.unread,
    });
  }

  /** @param {Wish} wish */
  add(wish) {
    this.wishes.set(wish.tab, wish);
    this.tell.state(this.state);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.gather(), GATHERING);
  }

  /** @param {string} tab */
  remove(tab) {
    this.wishes.delete(tab);
  }

  /** Open the stream anew if somebody wants what it does not carry, or knows less than was told. */
  gather() {
    const alive = [...this.wishes.values()].filter((wish) => wish.at > Date.now() - FORGOTTEN);
    const words = [...new Set(flat(alive.sort((a, b) => b.at - a.at).map((wish) => wish.words)))].slice(0, MOST).sort();
    const known = oldest(alive);
    const behind = Object.entries(known).some(([topic, number]) => topic in this.stream.known && number !== this.stream.known[topic]);
    if (!words.length || (words.join() === this.opened && !behind)) return;
    this.opened = words.join();
    this.stream.listen(words, known);
  }

  /** @param {Versions} now */
  changed(now) {
    for (const wish of this.wishes.values()) wish.known = { ...wish.known, ...now };
    this.tell.changed(now);
    if (Object.keys(now).some((topic) => topic.startsWith("person:"))) this.stream.ask();
  }

  stop() {
    clearTimeout(this.timer);
    this.stream.stop();
  }
}

/** What all know: of each thing the least number.
 * @param {Wish[]} wishes
 */
function oldest(wishes) {
  /** @type {Versions} */
  const found = {};
  for (const wish of wishes)
    for (const [topic, number] of Object.entries(wish.known)) found[topic] = topic in found ? Math.min(number, found[topic]) : number;
  return found;
}
