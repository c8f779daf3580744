/** The page of a phone at a table. Syntax of ES2018, as in all that it loads: phones of 2016 read it. */
/** @import { KeptRecord } from "./kept_orders.js" */
import { untilHeard } from "./again.js";
import { openCurtain } from "./curtain.js";
import { handingIn } from "./hand_in.js";
import { fresh, forget, keep, keptLines, keptRecords } from "./kept_orders.js";
import { moveByKeys, openMap } from "./map.js";
import { Ordering } from "./ordering.js";
import { openTabs } from "./tabs.js";
import { byId } from "./text.js";

const AWAY = [429, 500, 502, 503, 504];
const MOST_TRIES = 3;
const LATE = 409;
const GONE = 404;
const FORBIDDEN = 403;
const LOOK = 300;

const phone = byId("phone").dataset;
const orders = byId("board").dataset.orders;
const own = fresh();
/** @type {KeptRecord} */
const record = {
  table: phone.table || "",
  number: Number(phone.number),
  power: phone.power || "",
  seat: phone.seat || "",
  title: phone.title || "",
  changes: [],
  lines: [],
  wanted: null,
  submission: own.submission,
  written: Date.now(),
};
/** Whether what is kept is on its way to the referee, and no change of the page touches it any more. */
let closed = false;
/** What the referee has of this page: later changes come on top of it. @type {Record<string, unknown>[]} */
let late = [];
/** What was changed while that was on its way. @type {Record<string, unknown>[]} */
let unsent = [];
/** Whether the referee has, or is sent, what was last submitted. */
let isLate = false;

/** Keep what has not arrived; nothing is kept where all has. */
function keepOwn() {
  if (closed) return;
  if (record.changes.length || record.wanted) keep(own.name, record);
  else forget(own.name);
}

/** @type {import("./draft.js").Keeper} */
const keeper = {
  away: AWAY,
  changed(changes, lines) {
    if (closed) {
      if (changes.length) unsent = [...changes];
      return;
    }
    record.changes = changes.length ? [...late, ...changes] : [];
    record.lines = lines[record.power] || [];
    record.written = Date.now();
    keepOwn();
    if (changes.length) showWaiting(false);
  },
  refused(status) {
    if (status === LATE) void sendLate(own.name, record);
    else if (status === GONE || status === FORBIDDEN) anew(); // the seat has moved, or the page is too old to be heard
    else return false;
    return true;
  },
};

/** @type {import("./hand_in.js").Sender} */
const sender = {
  away: AWAY,
  sending: () => showWaiting(false),
  waiting: () => showWaiting(true),
  answered(status, answer) {
    if (status === GONE || status === FORBIDDEN) return anew();
    if (status === LATE) return void (isLate || sendLate(own.name, record));
    record.wanted = null;
    keepOwn();
    if (status === 200) showReceived(receiptOf(answer.short || ""));
  },
};

/** The number of a receipt and its second, of a sentence in either language: "v3 · 21:04:10". @param {string} short */
function receiptOf(short) {
  return (short.match(/v\d+|nº.\d+|\d+:\d+:\d+/g) || []).join(" · ");
}

/** Load the page anew, which goes on with what is kept. */
function anew() {
  closed = false;
  record.tries = (record.tries || 0) + 1;
  keepOwn();
  closed = true;
  location.reload();
}

/** Tell, big, that something is not at the table. @param {boolean} failed whether the table did not answer */
function showWaiting(failed) {
  const verdict = byId("verdict");
  const words = verdict.dataset;
  const wanted = record.wanted !== null;
  verdict.className = wanted || failed ? "verdict waiting" : "verdict";
  show(verdict, wanted || failed ? `✕ ${words.waiting}` : words.draft || "", wanted || failed ? words.waitingMore || "" : "");
}

/** @param {string} short the receipt @param {boolean} [lowers] whether the curtain comes down: all is done */
function showReceived(short, lowers = true) {
  const verdict = byId("verdict");
  verdict.className = "verdict received";
  show(verdict, `✓ ${verdict.dataset.received}`, short);
  if (lowers) curtain.lower();
}

/** @param {HTMLElement} verdict @param {string} strong @param {string} more */
function show(verdict, strong, more) {
  /** @type {HTMLElement} */ (verdict.querySelector("strong")).textContent = strong;
  /** @type {HTMLElement} */ (verdict.querySelector("span")).textContent = more;
}

/** Orders that the table takes no more go to the referee, and are kept until it has them.
 * @param {string} name @param {KeptRecord} kept
 */
async function sendLate(name, kept) {
  if (kept === record) {
    if (closed) return;
    closed = isLate = true;
  }
  keep(name, kept);
  const lines = keptLines(kept);
  const url = (phone.late || "").replace("/0/", `/${kept.number}/`).replace("/POWER/", `/${kept.power}/`);
  const ago = Math.max(0, Math.round((Date.now() - kept.written) / 1000));
  const sent = { lines: kept.lines, changes: kept.changes, submission: kept.submission, ago };
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token() };
  const response = await untilHeard(url, { method: "POST", headers, body: JSON.stringify(sent) }, AWAY, () => undefined);
  const answer = await response.json().catch(() => ({}));
  if (response.ok) forget(name);
  if (response.ok && kept === record) reopen();
  else if (answer.open && kept === record && (kept.tries || 0) < MOST_TRIES) return anew();
  if (response.ok || answer.message) tellLate(answer.message, lines);
}

/** The referee has what was kept; what comes now is another sheet. */
function reopen() {
  late = record.changes;
  Object.assign(record, { changes: [], wanted: null, submission: fresh().submission });
  closed = false;
  showWaiting(false);
  if (!unsent.length) return;
  Object.assign(record, { changes: [...late, ...unsent], written: Date.now() });
  unsent = [];
  void sendLate(own.name, record);
}

/** @param {string} message @param {string[]} lines */
function tellLate(message, lines) {
  const [row, text] = [document.createElement("li"), document.createElement("pre")];
  row.textContent = message;
  text.className = "lines secret";
  text.textContent = lines.join("\n");
  row.append(text);
  const list = byId("phone-late");
  list.insertBefore(row, list.firstChild);
}

function token() {
  return /** @type {HTMLInputElement} */ (document.querySelector("[name=csrfmiddlewaretoken]")).value;
}

/** What was kept by pages before this one: for the open phase it goes on, for another one it goes to the referee. */
function adopt() {
  /** @type {Record<string, unknown>[]} */
  const changes = [];
  for (const { name, record: kept } of keptRecords(record.table)) {
    if (kept.seat !== record.seat) continue;
    const [isOpen, tries] = [kept.number === record.number, kept.tries || 0];
    if (isOpen && !orders) continue; // the page asks for none now: it goes on when it does
    if (isOpen && kept.power !== record.power && tries < MOST_TRIES) {
      keep(name, { ...kept, tries: tries + 1 });
      location.search = `?power=${kept.power}`; // the page of a seat's other power goes on with it
      return [];
    }
    if (!isOpen || tries >= MOST_TRIES) {
      void sendLate(name, kept);
      continue;
    }
    for (const { base, ...change } of kept.changes) changes.push(change); // what was written here stands, whatever it was made from
    record.wanted = kept.wanted || record.wanted;
    record.tries = kept.tries;
    record.changes = changes;
    record.lines = kept.lines;
    keepOwn();
    forget(name);
  }
  return changes;
}

/** @param {HTMLButtonElement} button */
function pressed(button) {
  const { value } = /** @type {HTMLInputElement} */ (byId("submission"));
  record.wanted = { action: button.value, submission: value };
  isLate = false;
  record.written = Date.now();
  keepOwn();
}

/** Go on where a page before this one was: send its changes, and press the button that was pressed there.
 * @param {Ordering} ordering
 */
async function resume(ordering) {
  record.lines = ordering.draft.lines[record.power] || [];
  ordering.draft.resume(adopt());
  if (!record.wanted) return;
  showWaiting(true);
  await ordering.draft.settled();
  if (isLate || !record.wanted) return;
  const { action, submission } = record.wanted;
  const button = /** @type {HTMLButtonElement} */ (byId(action === "hand_in" ? "resolve" : "final"));
  if (button.value !== action || button.getAttribute("aria-disabled") === "true") {
    record.wanted = null; // it had arrived
    keepOwn();
    location.reload();
    return;
  }
  /** @type {HTMLInputElement} */ (byId("submission")).value = submission;
  button.click();
}

/** A page without a clock asks for itself whether the table has gone on: at most once a second, while somebody looks. */
function lookSoon() {
  if (!document.hidden && !soon) soon = window.setTimeout(look, LOOK);
}

async function look() {
  soon = 0;
  const response = await fetch(phone.now || "", { cache: "no-store" }).catch(() => null);
  if (response && response.status === GONE) return location.reload();
  if (response && response.ok) follow(await response.json());
}

/** Go on with the table. @param {{shown: string, proposal: number}} told */
function follow({ shown, proposal }) {
  byId("phone-proposal").hidden = !proposal;
  if (shown === phone.shown || document.hidden || leaving) return;
  leaving = !reloadedFor(shown);
  if (leaving) location.reload();
  else byId("phone-fresh").hidden = false;
}

/** Whether this has been tried already: no page is loaded for ever. @param {string} shown */
function reloadedFor(shown) {
  try {
    const before = sessionStorage.getItem("phone-shown");
    sessionStorage.setItem("phone-shown", shown);
    return before === shown;
  } catch (_) {
    return false;
  }
}

let soon = 0;
let leaving = false; // what is told until the next page is there is in that page
addEventListener("pageshow", () => (leaving = false));
/** @type {{lower: () => void}} */
let curtain = { lower: () => undefined };
if (orders) {
  curtain = openCurtain();
  const { frame, viewport, marks } = openMap();
  const wishes = handingIn(sender);
  /** @param {import("./types.js").Prepared} state */
  const prepared = (state) => {
    if (wishes.prepared) wishes.prepared(state);
    if ("current" in state && state.current) showReceived("", false);
  };
  const page = { ...wishes, prepared, kept: keeper, pressed };
  const ordering = new Ordering(byId("board").dataset.draftUrl || "", frame, viewport, marks, page);
  openTabs();
  for (const name of ["visibilitychange", "pagehide"]) addEventListener(name, () => ordering.sheet.flush(), true);
  void resume(ordering);
} else {
  if (document.getElementById("viewport")) {
    const { frame, viewport } = openMap();
    moveByKeys(frame, viewport);
  }
  adopt();
}
if (document.querySelector("[data-table-clock]")) {
  document.addEventListener("talleyrand:clock", (event) => follow(/** @type {CustomEvent} */ (event).detail));
  document.addEventListener("talleyrand:gone", () => location.reload());
} else {
  for (const name of ["talleyrand:changed", "visibilitychange"]) document.addEventListener(name, lookSoon);
  for (const name of ["online", "pageshow"]) addEventListener(name, lookSoon);
}
