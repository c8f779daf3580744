/** A projected page: the clock runs, what changed is shown, long lists scroll, screens take turns. */
import { Clock, digits } from "./screen_clock.js";
import * as sound from "./screen_sound.js";

/** @import { Seen } from "./screen_clock.js" */

const TICK = 250;
const AGAIN = 45_000; // how often a screen is asked for anew, besides when something changed
const IDLE = 4000;
const STILL = 4; // seconds at either end of a list that scrolls
const LINES = 1.1; // a second
const SMALLEST = 1, USUAL = 4, LARGEST = 9;

const stage = /** @type {HTMLElement} */ (document.getElementById("stage"));
const body = document.body;
const clock = body.dataset.clock ? new Clock(body.dataset.clockAddress ?? "", JSON.parse(body.dataset.clock)) : null;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let held = false;
let here = location.href;
let shown = "";
let shownSince = performance.now();
let stillUntil = performance.now() + STILL * 1000;
let wentThrough = false;
let asked = 0;
let idle = 0;
/** @type {Seen | undefined} */
let before;

const part = () => /** @type {HTMLElement} */ (stage.querySelector(".screen"));

// the clock

function tick() {
  const faces = clock?.faces() ?? [];
  for (const place of stage.querySelectorAll("[data-face]")) {
    const face = faces[Number(/** @type {HTMLElement} */ (place).dataset.face)];
    if (face) show(/** @type {HTMLElement} */ (place), face);
  }
  ring(faces[0]);
  turn();
}

/**
 * @param {HTMLElement} place
 * @param {Seen} face
 */
function show(place, face) {
  const corner = place.classList.contains("screen-corner");
  if (corner) place.hidden = face.state === "waiting";
  place.dataset.state = face.state;
  write(place, "[data-season]", face.season);
  write(place, "[data-digits]", corner && face.state === "over" ? (body.dataset.over ?? "") : digits(face.left));
  write(place, "[data-said]", body.dataset[face.state] ?? "");
  write(place, "[data-next]", face.next);
  const next = place.querySelector(".face-next");
  if (next instanceof HTMLElement) next.hidden = !face.next;
}

/**
 * @param {HTMLElement} place
 * @param {string} which
 * @param {string} text
 */
function write(place, which, text) {
  const found = place.querySelector(which);
  if (found && found.textContent !== text) found.textContent = text;
}

/** Heard when a season ends or its writing begins, not when the page learns of it later.
 * @param {Seen | undefined} now
 */
function ring(now) {
  if (before?.state === "running" && now?.state === "writing") sound.warn();
  else if (before?.state === "writing" && before.left <= 2 && now && now.state !== "paused" && now.left !== before.left) {
    if (now.state === "over" || now.left > before.left) sound.end();
  }
  before = now;
}

// what is shown

/** Show a screen, or the same one anew, in the page as it is; one that says the same stays as it was left.
 * @param {string} address
 */
async function load(address) {
  const mine = ++asked;
  const headers = { "X-Talleyrand-Part": "screen" };
  const answer = await fetch(address, { headers, cache: "no-store" }).catch(() => null);
  if (mine !== asked || !answer?.ok) return false;
  const text = await answer.text();
  if (mine !== asked) return false;
  const moved = address !== here;
  const top = stage.scrollTop;
  if (text === shown && !moved) return true;
  stage.innerHTML = shown = text;
  stage.scrollTop = moved ? 0 : top;
  if (moved) arrive(address);
  tick();
  document.dispatchEvent(new Event("talleyrand:shown"));
  return true;
}

/** @param {string} address */
function arrive(address) {
  here = new URL(address, location.href).href;
  history.replaceState(null, "", here);
  shownSince = performance.now();
  wentThrough = false;
  stillUntil = shownSince + STILL * 1000;
  document.title = `${stage.querySelector("h1")?.firstChild?.textContent?.trim() ?? ""} · Talleyrand`;
  for (const link of document.querySelectorAll(".screen-bar nav a")) {
    const same = new URL(/** @type {HTMLAnchorElement} */ (link).href).pathname === new URL(here).pathname;
    if (same) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function overflow() {
  return stage.scrollHeight - stage.clientHeight;
}

/** The screen before or after this one; where pages are turned for the whole room, by its button.
 * @param {"before" | "after"} way
 */
function go(way) {
  const button = stage.querySelector(`[data-turn="${way}"]`);
  const address = part().dataset[way];
  if (button instanceof HTMLElement) button.click();
  else if (address) void load(address);
}

/** The next screen, once this one has had its time and was read to its end. */
function turn() {
  const { after, seconds } = part().dataset;
  const due = performance.now() - shownSince > Number(seconds) * 1000;
  if (held || !after || !due || (overflow() > 8 && !wentThrough)) return;
  shownSince = performance.now(); // where it cannot be had, this one stays for as long again
  void load(after);
}

let last = performance.now();
let exact = 0;

/** @param {number} now */
function scroll(now) {
  const passed = Math.min(now - last, 100) / 1000;
  last = now;
  requestAnimationFrame(scroll);
  if (held || now < stillUntil || overflow() <= 8) return;
  if (body.classList.contains("unfolding")) return; // somebody reads
  const line = Number.parseFloat(getComputedStyle(stage).fontSize) * 1.5;
  if (Math.abs(exact - stage.scrollTop) > 2) exact = stage.scrollTop; // somebody scrolled
  const atEnd = stage.scrollTop >= overflow() - 1;
  if (atEnd) return rewind(now);
  exact += calm.matches ? stage.clientHeight * 0.8 : line * LINES * passed;
  stage.scrollTop = exact;
  if (calm.matches) stillUntil = now + 2 * STILL * 1000;
  else if (stage.scrollTop >= overflow() - 1) stillUntil = now + STILL * 1000;
}

/** @param {number} now */
function rewind(now) {
  wentThrough = true;
  if (!part().dataset.after) {
    exact = 0;
    stage.scrollTop = 0;
  }
  stillUntil = now + STILL * 1000;
}

// what somebody does

/** @type {Record<string, () => unknown>} */
const deeds = {
  before: () => go("before"),
  after: () => go("after"),
  hold: () => (stage.querySelector("[data-turn]") ? go("after") : press("hold", (held = !held))),
  smaller: () => resize(-1),
  larger: () => resize(1),
  sound: async () => {
    await sound.toggle();
    press("sound", sound.isOn());
  },
  full: () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.()),
};
/** @type {Record<string, string>} */
const keys = { f: "full", "+": "larger", "=": "larger", "-": "smaller", ArrowRight: "after", ArrowLeft: "before", PageDown: "after", PageUp: "before", " ": "hold", s: "sound" };

/**
 * @param {string} name
 * @param {boolean} on
 */
function press(name, on) {
  document.querySelector(`[data-do="${name}"]`)?.setAttribute("aria-pressed", `${on}`);
}

/** @param {number} step */
function resize(step) {
  const now = Number(document.documentElement.dataset.size ?? USUAL);
  const size = Math.min(LARGEST, Math.max(SMALLEST, now + step));
  document.documentElement.dataset.size = `${size}`;
  try {
    localStorage.setItem("talleyrand-screen", `${size}`);
  } catch {
    // a browser that keeps nothing
  }
}

function remembered() {
  try {
    return Number(localStorage.getItem("talleyrand-screen")) || USUAL;
  } catch {
    return USUAL;
  }
}

function move() {
  body.classList.remove("idle");
  clearTimeout(idle);
  idle = window.setTimeout(() => body.classList.add("idle"), IDLE);
}

/** A projector shows a page that nobody touches: the screen stays lit, where the browser lets a page ask. */
function stayLit() {
  if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {});
}

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("button[data-do]") : null;
  if (button instanceof HTMLElement) deeds[button.dataset.do ?? ""]?.();
});
document.addEventListener("keydown", (event) => {
  move();
  const onButton = event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement;
  const does = keys[event.key] ?? keys[event.key.toLowerCase()];
  if (!does || event.ctrlKey || event.metaKey || event.altKey || (onButton && event.key === " ")) return;
  event.preventDefault();
  deeds[does]?.();
});
for (const kind of ["pointermove", "pointerdown", "focusin"]) document.addEventListener(kind, move);
document.addEventListener("talleyrand:changed", () => {
  void clock?.ask();
  void load(here);
});
document.addEventListener("talleyrand:turned", () => void load(here));
document.addEventListener("visibilitychange", () => {
  stayLit();
  if (!document.hidden) void load(here);
});
addEventListener("online", () => void load(here));
setInterval(() => void load(here), AGAIN);
setInterval(tick, TICK);
for (const name of ["before", "after"]) {
  const button = document.querySelector(`[data-do="${name}"]`);
  if (button instanceof HTMLElement) button.hidden = !part().dataset[name];
}
const live = document.querySelector(".screen-live");
if (live instanceof HTMLElement) live.hidden = false;
resize(remembered() - Number(document.documentElement.dataset.size ?? USUAL));
requestAnimationFrame(scroll);
stayLit();
move();
tick();
