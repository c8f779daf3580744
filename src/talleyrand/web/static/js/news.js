/** @import { Connection, Versions } from "./types.js" */
import { Leader } from "./leader.js";

const HIDDEN = 60000; // a page that nobody sees for so long stops listening
const OLDEST = 23 * 3600000; // the server's words last for a day
const REMINDER = 60000;

const bar = document.getElementById("connection");
const words = [...document.querySelectorAll("[data-topics]")].map((one) => /** @type {HTMLElement} */ (one).dataset.topics || "");
const tab = Math.random().toString(36).slice(2);
const opened = Date.now();
const known = numbers();
const name = `talleyrand-news ${Object.keys(known).find((topic) => topic.startsWith("person:")) || ""}`;
/** @type {Leader | null} */
let leader = null;
/** @type {BroadcastChannel | null} */
let channel = null;
/** @type {AbortController | null} */
let waiting = null;
let joined = false;
let leave = () => {};
let timer = 0;
/** @type {Connection | ""} */
let state = "";

/** What the page was made with: the words begin with it. */
function numbers() {
  /** @type {Versions} */
  const found = {};
  for (const one of words) {
    const text = atob((one.split(":")[0] || "").replace(/-/g, "+").replace(/_/g, "/"));
    for (const [topic, number] of Object.entries(JSON.parse(text)))
      found[topic] = Math.min(Number(number), topic in found ? found[topic] : Number(number));
  }
  return found;
}

/** Tell the page, and the browser's other pages, what was heard.
 * @param {{changed?: Versions, state?: Connection, unread?: number}} heard
 */
function share(heard) {
  hear(heard);
  post({ kind: "heard", ...heard });
}

/** @param {unknown} message to the browser's other pages */
function post(message) {
  if (channel) channel.postMessage(message);
}

/** @param {{changed?: Versions, state?: Connection, unread?: number}} heard */
function hear(heard) {
  if (heard.state && state !== "stale") show(heard.state);
  if (heard.unread !== undefined) count(heard.unread);
  for (const [topic, version] of Object.entries(heard.changed || {})) {
    if (!(topic in known) || known[topic] === version) continue;
    known[topic] = version;
    document.dispatchEvent(new CustomEvent("talleyrand:changed", { detail: { topic, version } }));
  }
}

/** @param {Connection} now */
function show(now) {
  if (now === state) return;
  state = now;
  document.dispatchEvent(new CustomEvent("talleyrand:connection", { detail: { state } }));
  if (!bar) return;
  bar.hidden = state !== "offline" && state !== "stale";
  bar.textContent = bar.hidden ? "" : ((state === "stale" ? bar.dataset.stale : bar.dataset.offline) || "");
}

/** @param {number} unread */
function count(unread) {
  for (const badge of document.querySelectorAll("[data-news-count]")) {
    /** @type {HTMLElement} */ (badge).hidden = !unread;
    const number = badge.querySelector("[data-news-number]");
    if (number) number.textContent = `${unread}`;
  }
}

function wish() {
  return { tab, words, known, at: Date.now() };
}

/** Say what this page wants, again and again: a tab that was killed is forgotten. */
function announce() {
  if (Date.now() - opened > OLDEST) return expire();
  if (leader) leader.add(wish());
  post({ kind: "wish", wish: wish() });
  timer = window.setTimeout(announce, REMINDER);
}

function expire() {
  part();
  show("stale");
}

/** @param {MessageEvent} message */
function receive({ data }) {
  if (data.kind === "heard") hear(data);
  else if (data.kind === "wish" && leader) leader.add(data.wish);
  else if (data.kind === "gone" && leader) leader.remove(data.tab);
  else if (data.kind === "who") post({ kind: "wish", wish: wish() });
}

/** Hear for all, until this page is left: the browser lets one tab at a time do so. */
function lead() {
  leader = new Leader(
    { stream: (bar && bar.dataset.stream) || "", versions: (bar && bar.dataset.versions) || "" },
    {
      changed: (changed) => share({ changed }),
      state: (now) => share({ state: now }),
      unread: (unread) => share({ unread }),
    },
  );
  leader.add(wish());
  post({ kind: "who" });
  return new Promise((done) => {
    leave = () => done(undefined);
  });
}

function join() {
  if (state === "stale") return;
  joined = true;
  if (navigator.locks) {
    waiting = new AbortController();
    channel = new BroadcastChannel(name);
    channel.onmessage = receive;
    navigator.locks.request(name, { signal: waiting.signal }, lead).catch(() => {});
  } else lead(); // an address without encryption: each page that is seen hears for itself
  announce();
}

function part() {
  clearTimeout(timer);
  joined = false;
  if (waiting) waiting.abort();
  waiting = null;
  if (leader) leader.stop();
  leader = null;
  post({ kind: "gone", tab });
  if (channel) channel.close();
  channel = null;
  leave();
}

function look() {
  clearTimeout(timer);
  if (document.hidden) timer = window.setTimeout(part, navigator.locks ? HIDDEN : 0);
  else if (joined) announce();
  else join();
}

if (bar && words.length) {
  document.addEventListener("visibilitychange", look);
  addEventListener("pagehide", part);
  addEventListener("pageshow", look);
  look();
}
