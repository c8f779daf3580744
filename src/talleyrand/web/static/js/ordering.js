/** @import { Act, Chip, Point, Prepared, Step, Subject } from "./types.js" */
/** @import { Marks } from "./marks.js" */
/** @import { Viewport } from "./viewport.js" */
import { Aiming } from "./aiming.js";
import { Cursor } from "./cursor.js";
import { Draft } from "./draft.js";
import { replaceLayer } from "./layers.js";
import { Places, provinceOf } from "./places.js";
import { Sheet } from "./sheet.js";
import { menuOf, readSubjects } from "./subjects.js";
import { Taps } from "./taps.js";
import { byId, embedded, say } from "./text.js";

const SLACK = 14; // pixels around a unit that count as it
const NEAR = 24; // pixels between a touch and the place it may be meant for
/** @type {Record<Act, string>} */
const LETTERS = { hold: "h", disband: "d", support: "s", convoy: "c", via: "v" };

/**
 * @typedef {object} Wishes What a page does besides.
 * @property {boolean} [carried] whether the draft is carried by the page itself
 * @property {(state: Prepared) => void} [prepared] shows what the server says of a change
 * @property {import("./draft.js").Keeper} [kept] keeps what has not arrived, so that nobody need be asked before leaving
 * @property {(button: HTMLButtonElement) => void} [pressed] the whole sheet is wanted, before all its changes have arrived
 * @property {() => void} [changing] what the page shows is no longer what the server has
 * @property {(form: HTMLFormElement, button: HTMLButtonElement, draft: Draft) => boolean | Promise<boolean>} [submit]
 *   sends the whole sheet, once all its changes have arrived; tells whether it may be sent again
 */

/** Orders by map, by list and by sheet, all on the one draft of the server, or on one carried by the page itself. */
export class Ordering {
  /** @param {string} url @param {HTMLElement} frame @param {Viewport} viewport @param {Marks} marks @param {Wishes} wishes */
  constructor(url, frame, viewport, marks, wishes) {
    /** @type {Chip[]} */
    this.chips = [];
    this.frame = frame;
    this.wishes = wishes;
    this.viewport = viewport;
    this.marks = marks;
    this.form = /** @type {HTMLFormElement} */ (byId("orders"));
    this.places = new Places(embedded("places") || {});
    this.subjects = readSubjects();
    const token = /** @type {HTMLInputElement} */ (document.querySelector("[name=csrfmiddlewaretoken]")).value;
    /** @type {import("./draft.js").Page} */
    const page = {
      prepared: (state) => this.prepared(state),
      told: (text, wrong) => told(text, wrong),
      restored: () => this.restored(),
      changing: () => this.wishes.changing && this.wishes.changing(),
      kept: wishes.kept,
    };
    this.draft = new Draft(url, token, embedded("given") || {}, embedded("lines") || {}, page, wishes.carried || false);
    /** What the reader just chose, before the server has heard of it.
     * @type {Map<string, string>}
     */
    this.chosen = new Map(Object.entries(this.draft.given));
    this.total = /** @type {HTMLProgressElement} */ (byId("progress")).max;
    const name = this.places.name.bind(this.places);
    this.taps = new Taps(this.subjects, (place) => this.chosen.get(place) || "", name, (subject, place) => this.why(subject, place));
    this.sheet = new Sheet(this.draft);
    /** @type {Cursor} */
    this.cursor = new Cursor(this);
    /** @type {Aiming} */
    this.aiming = new Aiming(this);
    this.listen();
    frame.addEventListener("reshaped", () => {
      this.places.known = embedded("places") || {};
      this.light();
    });
    this.light();
  }

  /** @param {string} province */
  given(province) {
    return this.chosen.get(province) || "";
  }

  /** Show the orders the server has. */
  restored() {
    this.chosen.clear();
    for (const [province, given] of Object.entries(this.draft.expected)) if (given) this.chosen.set(province, given);
    for (const province of this.subjects.keys()) {
      const menu = menuOf(province);
      if (menu) menu.value = this.given(province);
      this.tabulate(province);
    }
  }

  /** @param {Prepared} state */
  prepared(state) {
    this.restored();
    for (const [power, number] of Object.entries(state.waives)) {
      const menu = document.getElementById(`waive-${power}`);
      if (menu instanceof HTMLSelectElement) menu.value = `${number}`;
    }
    for (const [key, answers] of Object.entries(state.leaflets || {})) fillIn(key, answers);
    const outlook = document.getElementById("outlook");
    if (outlook) outlook.textContent = state.outlook || "";
    for (const [id, layer] of Object.entries(state.layers)) replaceLayer(id, layer);
    byId("readings").innerHTML = state.readings;
    showProgress(state.progress);
    showRefusals(state);
    this.total = state.progress.total;
    this.sheet.show(state.sheet);
    byId("undo").hidden = !this.draft.canUndo;
    if (this.wishes.prepared) this.wishes.prepared(state);
  }

  /** @param {string} province @param {string} given */
  give(province, given) {
    if (given) this.chosen.set(province, given);
    else this.chosen.delete(province);
    const menu = menuOf(province);
    if (menu) menu.value = given;
    this.tabulate(province);
    this.draft.send({ orders: { [province]: given } });
  }

  /** The unit of a province, as the page names it. @param {string} province */
  label(province) {
    const subject = this.subjects.get(province);
    return subject ? subject.label : "";
  }

  /** The order of a province's unit in the table of the position. @param {string} province */
  tabulate(province) {
    const cell = document.querySelector(`[data-order-of="${province}"]`);
    const menu = menuOf(province);
    if (cell && menu) cell.textContent = menu.value ? menu.selectedOptions[0].text : "";
  }

  /** @param {Step} step */
  follow(step) {
    if (step.set) this.give(step.set.province, step.set.order);
    this.tell(step);
    this.offer(step.chips);
    this.light();
    if (step.wrong) this.marks.flash(step.wrong);
    if (!this.taps.chosen) this.viewport.retire();
    else if (!step.set) this.approach();
  }

  /** @param {Step} step */
  tell(step) {
    const key = step.say === "set" ? "noted" : step.say;
    byId("status").textContent = say(key, { ...step.facts, ...this.count() });
    byId("status").classList.toggle("wrong", step.wrong !== undefined);
  }

  /** @param {string} label of the order that was just given */
  noted(label) {
    byId("status").textContent = say("noted", { ...this.count(), order: label });
  }

  /** How many orders are given, of how many. */
  count() {
    return { n: `${Math.min(this.chosen.size, this.total)}`, total: `${this.total}` };
  }

  /** Where the map is small, the unit and all its choices are brought near. */
  approach() {
    const { target, help } = this.taps.targets();
    const places = [this.taps.chosen ? this.taps.chosen.province : "", ...target, ...help];
    this.viewport.approach(this.points(places));
  }

  /** @param {Iterable<string>} places @returns {Point[]} */
  points(places) {
    return /** @type {Point[]} */ ([...places].map((place) => this.places.point(place)).filter(Boolean));
  }

  /** What the unit may do without a place, and other readings: beside the map, so that nothing lies on what one aims at.
   * @param {Chip[]} chips
   */
  offer(chips) {
    this.chips = chips;
    const acts = this.taps.acts().map((act) => {
      const button = this.button(say(`act_${act}`), LETTERS[act], () => this.follow(this.taps.ask(act)));
      button.setAttribute("aria-pressed", `${this.taps.mode === act}`);
      return button;
    });
    const others = chips.map((chip, at) => this.button(chip.label, `${at + 1}`, () => this.take(chip)));
    byId("chips").textContent = "";
    byId("chips").append(...acts, ...others);
    if (acts.length + others.length) byId("chips").scrollIntoView({ block: "nearest" });
  }

  /** One button of those; the keys of the map go on where it was pressed. @param {string} words @param {string} key @param {() => void} act */
  button(words, key, act) {
    const button = document.createElement("button");
    const cap = document.createElement("kbd");
    button.type = "button";
    cap.textContent = key;
    cap.setAttribute("aria-hidden", "true");
    button.append(words, cap);
    button.addEventListener("click", () => {
      act();
      this.frame.focus({ preventScroll: true });
    });
    return button;
  }

  /** @param {Chip} chip */
  take(chip) {
    this.give(chip.province, chip.order);
    this.noted(chip.label);
    this.letGo();
  }

  light() {
    if (this.aiming && this.aiming.active) {
      this.marks.show({ ...this.aiming.marked(), ...this.cursor.marked() }, this.places);
      return;
    }
    const { target, help } = this.taps.targets();
    const chosen = this.taps.chosen ? [this.taps.chosen.province] : [];
    this.marks.show({ target, help, chosen, ...this.cursor.marked() }, this.places);
    this.frame.classList.toggle("choosing", chosen.length > 0);
  }

  letGo() {
    this.taps.reset();
    this.offer([]);
    this.viewport.retire();
    this.light();
  }

  /** @param {MouseEvent} event */
  touched(event) {
    if (this.viewport.dragged) return;
    if (document.body.classList.contains("in-past")) {
      byId("status").textContent = say("in_past");
      return;
    }
    const province = this.aiming.active ? this.marks.provinceAt(event) : this.meant(event);
    if (this.aiming.active && province) {
      this.cursor.leave();
      this.aiming.tap(province);
      return;
    }
    if (!province) {
      this.offBoard(event.target);
      return;
    }
    const at = this.viewport.board({ x: event.clientX, y: event.clientY });
    this.cursor.leave();
    this.follow(this.taps.tap(province, (locations) => this.places.nearest(locations, at) || locations[0]));
  }

  /** @param {EventTarget | null} target a land or a lake where nobody goes */
  offBoard(target) {
    if (!(target instanceof SVGPathElement) || !target.matches(".impassable, .water, .lake")) return;
    this.marks.flashOutline(target);
    byId("status").textContent = say("impassable");
  }

  /** What a finger means that is larger than the place it touches. @param {MouseEvent} event */
  meant(event) {
    const exact = this.marks.provinceAt(event, this.taps.chosen ? 0 : SLACK);
    const { target, help } = this.taps.targets();
    const wanted = this.taps.chosen ? [...target, ...help, this.taps.chosen.province] : [...this.subjects.keys()];
    if (wanted.map(provinceOf).includes(exact)) return exact;
    if (this.taps.chosen && this.subjects.has(exact)) return exact;
    const at = this.viewport.board({ x: event.clientX, y: event.clientY });
    return provinceOf(this.places.nearest(wanted, at, NEAR / this.viewport.size)) || exact;
  }

  /** Why a unit has no order to a place. @param {Subject} subject @param {string} province */
  why(subject, province) {
    const ground = this.marks.ground(province);
    if (subject.choices.some((choice) => choice.kind === "retreat")) return "no_retreat_there";
    if (subject.unit.startsWith("A ") && ground === "sea") return "no_army_at_sea";
    if (subject.unit.startsWith("F ") && ground === "inland") return "no_fleet_inland";
    return "out_of_reach";
  }

  undo() {
    if (!this.draft.canUndo) return;
    this.letGo();
    this.draft.undo();
    byId("status").textContent = say("undone");
  }

  listen() {
    this.frame.addEventListener("click", (event) => this.touched(event));
    this.form.addEventListener("change", (event) => this.changed(event.target));
    byId("undo").addEventListener("click", () => this.undo());
    const plays = document.getElementById("plays");
    if (plays instanceof HTMLSelectElement)
      plays.addEventListener("change", async () => {
        this.sheet.flush();
        await this.draft.settled();
        if (plays.form) plays.form.submit();
      });
    let going = false; // the page leaves by its own form
    window.addEventListener("beforeunload", (event) => {
      if (!going && !this.wishes.kept && (this.draft.busy || this.sheet.refused)) event.preventDefault();
    });
    this.listenToKeys();
    const submitted = (/** @type {HTMLFormElement} */ form) => {
      going = true;
      form.submit();
      return false;
    };
    sendOnce(this.form, this.draft, this.sheet, { ...this.wishes, submit: this.wishes.submit || submitted });
  }

  listenToKeys() {
    document.addEventListener("keydown", (event) => {
      const writing = event.target instanceof Element && event.target.closest("input, textarea");
      if (writing) return;
      if (event.key === "Escape" && this.aiming.active) {
        this.aiming.leave();
        return;
      }
      if (event.key === "Escape" && this.taps.chosen) {
        this.follow(this.taps.back());
        return;
      }
      if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.undo();
    });
  }

  /** @param {EventTarget | null} menu */
  changed(menu) {
    const leaflet = menu instanceof Element ? menu.closest("[data-leaflet]") : null;
    if (leaflet instanceof HTMLElement) {
      this.draft.send({ leaflets: { [leaflet.dataset.leaflet || ""]: answersOf(leaflet) } });
      return;
    }
    if (!(menu instanceof HTMLSelectElement)) return;
    if (menu.dataset.waives) this.draft.send({ waives: { [menu.dataset.waives]: Number(menu.value) } });
    const province = menu.dataset.province;
    if (!province) return;
    if (!this.taps.chosen || this.taps.chosen.province === province) this.letGo();
    const label = menu.value ? menu.selectedOptions[0].text : "";
    this.give(province, menu.value);
    if (label) this.noted(label);
    else byId("status").textContent = say("cleared", { unit: this.label(province) });
  }
}

/** The blanks of a form, each by its name. @param {Element} leaflet @returns {Map<string, (HTMLSelectElement | HTMLInputElement)[]>} */
function blanksOf(leaflet) {
  const found = new Map();
  for (const field of leaflet.querySelectorAll("select, input")) {
    if (!(field instanceof HTMLSelectElement || field instanceof HTMLInputElement)) continue;
    found.set(field.name, [...(found.get(field.name) || []), field]);
  }
  return found;
}

/** The answers of a form, blank by blank. @param {Element} leaflet */
function answersOf(leaflet) {
  return [...blanksOf(leaflet).values()].map((fields) => {
    const chosen = fields.find((field) => field instanceof HTMLSelectElement || field.checked);
    return chosen ? chosen.value : "";
  });
}

/** @param {string} key @param {string[]} answers */
function fillIn(key, answers) {
  const leaflet = document.querySelector(`[data-leaflet="${key}"]`);
  if (!leaflet) return;
  [...blanksOf(leaflet).values()].forEach((fields, place) => {
    for (const field of fields) {
      if (field instanceof HTMLSelectElement) field.value = answers[place] || "";
      else field.checked = field.value === (answers[place] || "");
    }
  });
}

/** @param {string} text @param {boolean} wrong */
function told(text, wrong) {
  const saved = byId("saved");
  saved.textContent = text;
  saved.classList.toggle("wrong", wrong);
  if (wrong) byId("status").textContent = text;
}

/** Send the form when everything has arrived, and only once.
 * @param {HTMLFormElement} form @param {Draft} draft @param {Sheet} sheet
 * @param {Wishes & {submit: NonNullable<Wishes["submit"]>}} wishes
 */
function sendOnce(form, draft, sheet, wishes) {
  /** @type {HTMLInputElement} */ (form.elements.namedItem("scripted")).value = "1";
  let sent = false;
  let pressed = byId("resolve");
  // Which button it was is told by the form itself only since Safari 15.4.
  for (const button of document.querySelectorAll(`button[form=${form.id}], #${form.id} button`))
    button.addEventListener("click", () => (pressed = /** @type {HTMLElement} */ (button)));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (sent) return;
    sent = true;
    const button = /** @type {HTMLButtonElement} */ (event.submitter || pressed);
    if (wishes.pressed) wishes.pressed(button);
    button.setAttribute("aria-busy", "true");
    sheet.flush();
    await draft.settled();
    const again = sheet.refused || (await wishes.submit(form, button, draft));
    if (!again) return;
    sent = false;
    button.removeAttribute("aria-busy");
  });
}

/** What will not be followed: how many lines, and by each unit which and why. @param {Prepared} state */
function showRefusals({ refused, refusals }) {
  const told = byId("refused");
  told.hidden = !refused;
  const words = told.querySelector(".words");
  if (words) words.textContent = refused;
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".order-row[data-province]"))) {
    const line = row.querySelector(".refused-line");
    if (line) line.textContent = refusals[row.dataset.province || ""] || "";
  }
}

/** @param {{given: number, total: number}} progress */
function showProgress({ given, total }) {
  const bar = /** @type {HTMLProgressElement} */ (byId("progress"));
  bar.max = total;
  bar.value = given;
  byId("progress-words").textContent = say("progress", { given: `${given}`, total: `${total}` });
}
