/** @import { Chip, Prepared, Step, Subject } from "./types.js" */
/** @import { Marks } from "./marks.js" */
/** @import { Viewport } from "./viewport.js" */
import { Draft } from "./draft.js";
import { replaceLayer } from "./layers.js";
import { Taps } from "./taps.js";
import { byId, embedded, say } from "./text.js";

const PAUSE = 700;

/** The subjects of the page's menus, by province. @returns {Map<string, Subject>} */
function readSubjects() {
  const menus = /** @type {NodeListOf<HTMLSelectElement>} */ (document.querySelectorAll("select[data-province]"));
  return new Map([...menus].map((menu) => [menu.dataset.province ?? "", readSubject(menu)]));
}

/** @param {HTMLSelectElement} menu @returns {Subject} */
function readSubject(menu) {
  const options = [...menu.options].filter((option) => option.value);
  return {
    power: menu.dataset.power ?? "",
    province: menu.dataset.province ?? "",
    label: menu.labels[0]?.textContent?.trim() ?? "",
    choices: options.map((option) => ({
      order: option.value,
      kind: option.dataset.kind ?? "",
      at: option.dataset.at ?? "",
      to: option.dataset.to ?? "",
      label: option.text,
      needed: option.dataset.needed === "1",
    })),
  };
}

/** @param {string} province */
function menuOf(province) {
  const menu = document.getElementById(`order-${province}`);
  return menu instanceof HTMLSelectElement ? menu : null;
}

/** Orders by map, by list and by sheet, all on the one draft of the server, or on one carried by the page itself.
 * @param {string} url @param {HTMLElement} frame @param {Viewport} viewport @param {Marks} marks
 * @param {{ carried?: boolean }} [options]
 */
export function order(url, frame, viewport, marks, { carried = false } = {}) {
  const form = /** @type {HTMLFormElement} */ (byId("orders"));
  const token = /** @type {HTMLInputElement} */ (document.querySelector("[name=csrfmiddlewaretoken]")).value;
  const page = { prepared, told, restored };
  const draft = new Draft(url, token, embedded("given") ?? {}, embedded("lines") ?? {}, page, carried);
  const subjects = readSubjects();
  const names = embedded("places") ?? {};
  /** What the reader just chose, before the server has heard of it.
   * @type {Map<string, string>}
   */
  const chosen = new Map(Object.entries(draft.given));
  const taps = new Taps(subjects, (place) => chosen.get(place) ?? "", (place) => names[place] ?? place);
  const sheet = new Sheet(draft);

  /** Show the orders the server has. */
  function restored() {
    chosen.clear();
    for (const [province, given] of Object.entries(draft.given)) chosen.set(province, given);
    for (const province of subjects.keys()) {
      const menu = menuOf(province);
      if (menu) menu.value = chosen.get(province) ?? "";
    }
  }

  /** @param {Prepared} state */
  function prepared(state) {
    restored();
    for (const [power, number] of Object.entries(state.waives)) {
      const menu = document.getElementById(`waive-${power}`);
      if (menu instanceof HTMLSelectElement) menu.value = `${number}`;
    }
    for (const [id, layer] of Object.entries(state.layers)) replaceLayer(id, layer);
    byId("readings").innerHTML = state.readings;
    showProgress(state.progress);
    sheet.show(state.sheet);
    byId("undo").hidden = !draft.canUndo;
    if (state.address) history.replaceState(history.state, "", state.address);
    light();
  }

  /** @param {string} text @param {boolean} wrong */
  function told(text, wrong) {
    const saved = byId("saved");
    saved.textContent = text;
    saved.classList.toggle("wrong", wrong);
    if (wrong) byId("status").textContent = text;
  }

  /** @param {string} province @param {string} given */
  function give(province, given) {
    chosen.set(province, given);
    const menu = menuOf(province);
    if (menu) menu.value = given;
    draft.send({ orders: { [province]: given } });
  }

  /** @param {Step} step */
  function follow(step) {
    byId("status").textContent = say(step.say, step.facts);
    if (step.set) give(step.set.province, step.set.order);
    showChips(step.chips);
    light();
  }

  /** @param {Chip[]} chips */
  function showChips(chips) {
    byId("chips").replaceChildren(...chips.map((chip) => chipButton(chip)));
  }

  /** @param {Chip} chip */
  function chipButton(chip) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = chip.label;
    button.addEventListener("click", () => {
      give(chip.province, chip.order ?? "");
      byId("status").textContent = say("set", { order: chip.label });
      letGo();
    });
    return button;
  }

  function light() {
    marks.show({ ...taps.targets(), chosen: taps.chosen ? [taps.chosen.province] : [] });
  }

  frame.addEventListener("click", (event) => {
    if (viewport.dragged) return;
    const province = marks.provinceAt(event);
    if (province) follow(taps.tap(province));
  });
  function letGo() {
    taps.reset();
    showChips([]);
    light();
  }

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !taps.chosen) return;
    letGo();
    byId("status").textContent = say("start");
  });
  byId("sheet").addEventListener("focus", letGo);
  form.addEventListener("change", (event) => {
    const menu = event.target;
    if (!(menu instanceof HTMLSelectElement)) return;
    letGo();
    if (menu.dataset.waives) draft.send({ waives: { [menu.dataset.waives]: Number(menu.value) } });
    if (!menu.dataset.province) return;
    const label = menu.value ? menu.selectedOptions[0].text : "";
    byId("status").textContent = label
      ? say("set", { order: label })
      : say("cleared", { unit: menu.labels[0]?.textContent?.trim() ?? "" });
    give(menu.dataset.province, menu.value);
  });
  byId("undo").addEventListener("click", () => {
    draft.undo();
    byId("status").textContent = say("undone");
  });
  document.getElementById("plays")?.addEventListener("change", async (event) => {
    sheet.flush();
    await draft.settled();
    /** @type {HTMLSelectElement} */ (event.target).form?.submit();
  });
  window.addEventListener("beforeunload", (event) => {
    if (draft.busy) event.preventDefault();
  });
  resolveOnce(form, draft, sheet);
  light();
}

/** Resolve when everything has arrived, and only once.
 * @param {HTMLFormElement} form @param {Draft} draft @param {Sheet} sheet
 */
function resolveOnce(form, draft, sheet) {
  /** @type {HTMLInputElement} */ (form.elements.namedItem("scripted")).value = "1";
  let sent = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (sent) return;
    sent = true;
    const button = /** @type {HTMLButtonElement} */ (byId("resolve"));
    button.setAttribute("aria-busy", "true");
    sheet.flush();
    await draft.settled();
    if (sheet.refused) {
      sent = false;
      button.removeAttribute("aria-busy");
      return;
    }
    form.submit();
  });
}

/** @param {{given: number, total: number}} progress */
function showProgress({ given, total }) {
  const bar = /** @type {HTMLProgressElement} */ (byId("progress"));
  bar.max = total;
  bar.value = given;
  byId("progress-words").textContent = say("progress", { given: `${given}`, total: `${total}` });
}

/** The sheet: saved while one types, shown anew when orders are given elsewhere. */
class Sheet {
  #timer = 0;
  #sent = "";

  /** @param {Draft} draft */
  constructor(draft) {
    this.draft = draft;
    this.area = /** @type {HTMLTextAreaElement} */ (byId("sheet"));
    /** The sheet this one was made from; null while one is on its way, or to put it in place of any other.
     * @type {string | null}
     */
    this.base = this.area.value;
    this.#sent = this.area.value;
    // Not at once when left: what the answer shows would move the button that is being pressed.
    this.area.addEventListener("input", () => this.#flushIn(PAUSE));
    this.area.addEventListener("blur", () => this.#flushIn(PAUSE / 2));
    byId("sheet-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.flush();
    });
  }

  /** @param {number} pause */
  #flushIn(pause) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), pause);
  }

  /** Whether the last sheet was not taken. */
  get refused() {
    return this.area.value !== this.#sent || this.area.classList.contains("wrong");
  }

  flush() {
    clearTimeout(this.#timer);
    if (this.area.value === this.#sent) return;
    this.#sent = this.area.value;
    this.area.classList.add("wrong");
    this.draft.send({ sheet: this.#sent, base: this.base });
    this.base = null;
  }

  /** @param {string} text as the server keeps it */
  show(text) {
    const typing = document.activeElement === this.area;
    const changed = this.area.value !== this.#sent;
    this.base = text;
    this.area.classList.remove("wrong");
    if (typing || changed) return;
    this.area.value = text;
    this.#sent = text;
  }
}
