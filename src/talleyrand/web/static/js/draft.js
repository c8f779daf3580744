/** @import { Prepared } from "./types.js" */
import { untilHeard } from "./again.js";
import { LOCALE, say } from "./text.js";

const RETRY = 3000;

/**
 * @typedef {object} Page Who is told what became of a change.
 * @property {(state: Prepared) => void} prepared
 * @property {(text: string, wrong: boolean) => void} told
 * @property {() => void} restored
 * @property {() => void} changing a change is about to be sent
 * @property {Keeper} [kept] keeps what has not arrived
 */

/**
 * @typedef {object} Keeper Keeps the changes of a page that may be closed before they have arrived.
 * @property {number[]} away statuses that say that nobody has heard a change
 * @property {(changes: Record<string, unknown>[], lines: Record<string, string[]>) => void} changed what has not arrived, and
 *   the lines that the server had before
 * @property {(status: number, message: string) => boolean} refused whether it takes care of what was refused, and of all that waits
 */

/**
 * Sends each change as it is made, one after the other, and keeps what the server last said.
 * A change that could not be sent is sent again until it arrives.
 */
export class Draft {
  /**
   * @param {string} url
   * @param {string} token against forgery
   * @param {Record<string, string>} given
   * @param {Record<string, string[]>} lines
   * @param {Page} page
   * @param {boolean} carried whether the server keeps nothing: the lines travel with each change
   */
  constructor(url, token, given, lines, page, carried) {
    /** @type {Record<string, unknown>[]} */
    this.waiting = [];
    /** @type {Promise<void> | null} */
    this.sending = null;
    /** @type {Record<string, string[]>[]} */
    this.before = [];
    this.url = url;
    this.token = token;
    this.given = given;
    this.lines = lines;
    this.page = page;
    this.carried = carried;
  }

  get canUndo() {
    return this.before.length > 0;
  }

  /** Whether something has not arrived yet. */
  get busy() {
    return this.sending !== null;
  }

  /** Send changes that another page has kept. @param {Record<string, unknown>[]} changes */
  resume(changes) {
    for (const change of changes) this.push(change);
  }

  /** The orders that the server has, and on top of them those that are still on their way to it.
   * @returns {Record<string, string>}
   */
  get expected() {
    const later = this.waiting.slice(1).map((change) => /** @type {Record<string, string>} */ (change.orders || {}));
    return Object.assign({}, this.given, ...later);
  }

  /** @param {Record<string, unknown>} change */
  send(change) {
    this.remember();
    this.push(change);
  }

  /** Put back the lines before the last change. */
  undo() {
    const lines = this.before.pop();
    if (lines) this.push({ lines });
  }

  /** When all that was changed has arrived. */
  async settled() {
    while (this.sending) await this.sending;
  }

  remember() {
    this.before.push(JSON.parse(JSON.stringify(this.lines)));
  }

  /** @param {Record<string, unknown>} change */
  push(change) {
    this.page.changing();
    // The first one is on its way; orders that wait behind it go together.
    const last = this.waiting.length > 1 ? this.waiting[this.waiting.length - 1] : null;
    if (last && last.orders && change.orders) Object.assign(last.orders, change.orders);
    else this.waiting.push(change);
    this.keep();
    this.sending = this.sending || this.drain();
  }

  async drain() {
    while (this.waiting.length) {
      this.page.told(say("saving"), false);
      const taken = await this.deliver(this.waiting[0]);
      this.waiting.splice(0, taken ? 1 : this.waiting.length);
      if (taken) this.keep();
    }
    this.sending = null;
  }

  keep() {
    if (this.page.kept) this.page.kept.changed(this.waiting, this.lines);
  }

  /** Tells whether it is done with: false where somebody else takes care of all that waits. @param {Record<string, unknown>} change */
  async deliver(change) {
    const asked = {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": this.token },
      body: JSON.stringify(this.carried ? { ...change, from: this.lines } : change),
    };
    const away = this.page.kept ? this.page.kept.away : [];
    return this.heard(await untilHeard(this.url, asked, away, (seconds) => this.page.told(say(seconds ? "busy" : "offline", { seconds: `${seconds}` }), true)));
  }

  /** @param {Response} response @returns {Promise<boolean>} */
  async heard(response) {
    const answer = await readAnswer(response);
    if (response.ok) {
      this.given = answer.given;
      this.lines = answer.lines;
      this.page.prepared(answer);
      this.page.told(say("saved", { time: new Date().toLocaleTimeString(LOCALE) }), false);
      return true;
    }
    this.before.pop();
    this.page.told(say("unsaved", { why: answer.message }), true);
    if (this.page.kept && this.page.kept.refused(response.status, answer.message)) return false;
    this.page.restored();
    if (answer.moved) setTimeout(() => location.assign(location.href), RETRY);
    return true;
  }
}

/** What the server says, whichever part of it speaks.
 * @param {Response} response
 */
async function readAnswer(response) {
  const type = response.headers.get("content-type") || "";
  if (type.startsWith("text/plain")) return { message: await response.text() };
  return response.json().catch(() => ({ message: say("fault") }));
}
