/** @import { Ordering } from "./ordering.js" */
import { byId, say } from "./text.js";

/** Answers of a form that are provinces, chosen on the map: a button beside the list, then a touch. */
export class Aiming {
  /** @param {Ordering} ordering */
  constructor(ordering) {
    /** The list that is filled in from the map, while one is. @type {HTMLSelectElement | null} */
    this.field = null;
    /** @type {HTMLButtonElement | null} */
    this.button = null;
    this.ordering = ordering;
    for (const button of ordering.form.querySelectorAll("button[data-aim]")) {
      if (!(button instanceof HTMLButtonElement)) continue;
      button.hidden = false;
      button.addEventListener("click", () => (button === this.button ? this.leave() : this.begin(button)));
    }
    ordering.form.addEventListener("change", () => this.stop());
  }

  get active() {
    return this.field !== null;
  }

  /** Where a touch means something, and where the last one was. */
  marked() {
    return { target: this.options().keys(), chosen: [provinceIn(this.field ? this.field.value : "")].filter(Boolean) };
  }

  /** Where the keyboard may stop. @returns {string[]} */
  stops() {
    return [...this.options().keys()];
  }

  /** One touch: the province, or nothing where it was that one already. @param {string} province */
  tap(province) {
    const [field, words] = [this.field, this.options().get(province)];
    if (!field) return;
    const facts = { what: this.title(), place: this.ordering.places.name(province) };
    if (!words) {
      this.tell(say(this.refusal(province), facts), true); // a sentence by itself, or the key of ours
      this.ordering.marks.flash(province);
      return;
    }
    const again = field.value === words;
    field.value = again ? "" : words;
    field.dispatchEvent(new Event("change", { bubbles: true }));
    this.tell(say(again ? "unaimed" : "aimed", facts));
  }

  /** Leave the form as it is. */
  leave() {
    const what = this.title();
    this.stop();
    this.tell(say("not_aimed", { what }));
  }

  /** The map is for units again. */
  stop() {
    if (!this.button) return;
    this.button.setAttribute("aria-pressed", "false");
    this.field = this.button = null;
    this.ordering.light();
  }

  /** @param {HTMLButtonElement} button */
  begin(button) {
    this.stop();
    this.ordering.letGo();
    this.button = button;
    this.field = /** @type {HTMLSelectElement} */ (byId(button.dataset.aim || ""));
    button.setAttribute("aria-pressed", "true");
    this.ordering.light();
    this.ordering.frame.scrollIntoView({ block: "nearest" });
    this.ordering.frame.focus({ preventScroll: true });
    this.tell(say("aim", { what: this.title() }));
  }

  /** What may be answered, by province. @returns {Map<string, string>} */
  options() {
    const options = [...(this.field ? this.field.options : [])].filter((option) => option.value);
    return new Map(options.map((option) => [provinceIn(option.value), option.value]));
  }

  title() {
    const leaflet = this.field && this.field.closest("[data-title]");
    return leaflet instanceof HTMLElement ? leaflet.dataset.title || "" : "";
  }

  /** Why a province is no answer. @param {string} province */
  refusal(province) {
    const leaflet = this.field && this.field.closest("[data-leaflet]");
    const told = leaflet && leaflet.querySelector("script");
    /** @type {[string, string[]][]} */
    const sentences = Object.entries(JSON.parse((told && told.textContent) || "{}"));
    const [sentence] = sentences.find(([, provinces]) => provinces.includes(province)) || ["nothing_here"];
    return sentence;
  }

  /** @param {string} text @param {boolean} [wrong] */
  tell(text, wrong = false) {
    byId("status").textContent = text;
    byId("status").classList.toggle("wrong", wrong);
  }
}

/** The province that an answer names: its last word. @param {string} words */
function provinceIn(words) {
  return words.split(" ").pop() || "";
}
