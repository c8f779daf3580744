/** @import { Prepared } from "./types.js" */
import { untilHeard } from "./again.js";
import { say } from "./text.js";

const RETRY = 3000;

/**
 * @typedef {object} Page Who is told what became of a change.
 * @property {(state: Prepared) => void} prepared
 * @property {(text: string, wrong: boolean) => void} told
 * @property {() => void} restored
 * @property {() => void} changing a change is about to be sent
 */

/**
 * Sends each change as it is made, one after the other, and keeps what the server last said.
 * A change that could not be sent is sent again until it arrives.
 */
export class Draft {
  /** @type {Record<string, unknown>[]} */
  #waiting = [];
  /** @type {Promise<void> | null} */
  #sending = null;
  /** @type {Record<string, string[]>[]} */
  #before = [];

  /**
   * @param {string} url
   * @param {string} token against forgery
   * @param {Record<string, string>} given
   * @param {Record<string, string[]>} lines
   * @param {Page} page
   * @param {boolean} carried whether the server keeps nothing: the lines travel with each change
   */
  constructor(url, token, given, lines, page, carried) {
    this.url = url;
    this.token = token;
    this.given = given;
    this.lines = lines;
    this.page = page;
    this.carried = carried;
  }

  get canUndo() {
    return this.#before.length > 0;
  }

  /** Whether something has not arrived yet. */
  get busy() {
    return this.#sending !== null;
  }

  /** The orders that the server has, and on top of them those that are still on their way to it.
   * @returns {Record<string, string>}
   */
  get expected() {
    const later = this.#waiting.slice(1).map((change) => /** @type {Record<string, string>} */ (change.orders ?? {}));
    return Object.assign({}, this.given, ...later);
  }

  /** @param {Record<string, unknown>} change */
  send(change) {
    this.#remember();
    this.#push(change);
  }

  /** Put back the lines before the last change. */
  undo() {
    const lines = this.#before.pop();
    if (lines) this.#push({ lines });
  }

  /** When all that was changed has arrived. */
  async settled() {
    while (this.#sending) await this.#sending;
  }

  #remember() {
    this.#before.push(structuredClone(this.lines));
  }

  /** @param {Record<string, unknown>} change */
  #push(change) {
    this.page.changing();
    // The first one is on its way; orders that wait behind it go together.
    const last = this.#waiting.length > 1 ? this.#waiting[this.#waiting.length - 1] : null;
    if (last?.orders && change.orders) Object.assign(last.orders, change.orders);
    else this.#waiting.push(change);
    this.#sending ??= this.#drain();
  }

  async #drain() {
    while (this.#waiting.length) {
      this.page.told(say("saving"), false);
      await this.#deliver(this.#waiting[0]);
      this.#waiting.shift();
    }
    this.#sending = null;
  }

  /** @param {Record<string, unknown>} change */
  async #deliver(change) {
    const asked = {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": this.token },
      body: JSON.stringify(this.carried ? { ...change, from: this.lines } : change),
    };
    await this.#heard(await untilHeard(this.url, asked, [], (seconds) => this.page.told(say(seconds ? "busy" : "offline", { seconds: `${seconds}` }), true)));
  }

  /** @param {Response} response */
  async #heard(response) {
    const answer = await readAnswer(response);
    if (response.ok) {
      this.given = answer.given;
      this.lines = answer.lines;
      this.page.prepared(answer);
      this.page.told(say("saved", { time: new Date().toLocaleTimeString(document.documentElement.lang) }), false);
      return;
    }
    this.#before.pop();
    this.page.told(say("unsaved", { why: answer.message }), true);
    this.page.restored();
    if (answer.moved) setTimeout(() => location.assign(location.href), RETRY);
  }
}

/** What the server says, whichever part of it speaks.
 * @param {Response} response
 */
async function readAnswer(response) {
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("text/plain")) return { message: await response.text() };
  return response.json().catch(() => ({ message: say("fault") }));
}
