/** @import { Draft } from "./draft.js" */
import { byId } from "./text.js";

const PAUSE = 700;

/** The sheet: saved while one types, shown anew when orders are given elsewhere. */
export class Sheet {
  /** @param {Draft} draft */
  constructor(draft) {
    this.timer = 0;
    this.sent = "";
    this.draft = draft;
    this.area = /** @type {HTMLTextAreaElement} */ (byId("sheet"));
    /** The sheet this one was made from; null while one is on its way, or to put it in place of any other.
     * @type {string | null}
     */
    this.base = this.area.value;
    this.sent = this.area.value;
    // Not at once when left: what the answer shows would move the button that is being pressed.
    this.area.addEventListener("input", () => this.flushIn(PAUSE));
    this.area.addEventListener("blur", () => this.flushIn(PAUSE / 2));
    byId("readings").addEventListener("click", (event) => {
      const line = event.target instanceof Element ? event.target.closest("a.line") : null;
      if (line && this.select(line.textContent || "")) event.preventDefault();
    });
    byId("sheet-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.flush();
    });
  }

  /** @param {number} pause */
  flushIn(pause) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), pause);
  }

  /** Show a line of the sheet; tells whether it is there. @param {string} line */
  select(line) {
    byId("tab-sheet").click();
    const start = `\n${this.area.value}\n`.indexOf(`\n${line}\n`);
    this.area.focus();
    if (start >= 0) this.area.setSelectionRange(start, start + line.length);
    return start >= 0;
  }

  /** Whether the last sheet was not taken. */
  get refused() {
    return this.area.value !== this.sent || this.area.classList.contains("wrong");
  }

  flush() {
    clearTimeout(this.timer);
    if (this.area.value === this.sent) return;
    this.sent = this.area.value;
    this.area.classList.add("wrong");
    this.draft.send({ sheet: this.sent, base: this.base });
    this.base = null;
  }

  /** @param {string} text as the server keeps it */
  show(text) {
    const typing = document.activeElement === this.area;
    const changed = this.area.value !== this.sent;
    this.base = text;
    this.area.classList.remove("wrong");
    if (typing || changed) return;
    this.area.value = text;
    this.sent = text;
  }
}
