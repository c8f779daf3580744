/** What every page of a game does: tells what has been published and how many messages wait, counts the time left
 * down, asks whoever leaves with a message half written, and beside a map opens the messages.
 */
/** @import { Beside } from "./beside.js" */
const MINUTE = 60_000;

const frame = document.getElementById("game-frame");
if (frame) {
  document.addEventListener("talleyrand:changed", () => look(frame));
  window.addEventListener("beforeunload", (event) => {
    const letters = /** @type {NodeListOf<HTMLTextAreaElement>} */ (frame.querySelectorAll("form[data-letter] textarea"));
    if ([...letters].some((one) => one.value.trim() && one.value !== one.defaultValue)) event.preventDefault();
  });
  document.addEventListener("talleyrand:changed", (event) => count(/** @type {CustomEvent} */ (event).detail.topic));
  countDown();
}
const tab = document.getElementById("messages-tab");
const dialog = document.getElementById("beside");
if (tab instanceof HTMLAnchorElement && dialog instanceof HTMLDialogElement) standBeside(tab, dialog);

/** Ask whether the page is out of date, and say so beside what is being written. @param {HTMLElement} frame */
async function look(frame) {
  const response = await fetch(frame.dataset.now ?? "").catch(() => null);
  if (!response?.ok) return;
  const { number, edition, readiness, reload } = await response.json();
  if (reload) return location.reload();
  showReadiness(readiness);
  const news = document.getElementById("game-news");
  if (!news || edition === frame.dataset.edition) return;
  const said = `${number}` === frame.dataset.number ? news.dataset.changed : news.dataset.published;
  const words = news.querySelector("span");
  if (words) words.textContent = said ?? "";
  news.hidden = false;
}

/** Who is ready by now; a list of it that is open stays open. @param {string | null | undefined} html */
function showReadiness(html) {
  const place = document.getElementById("readiness");
  if (!place || !html) return;
  const open = place.querySelector(":popover-open") !== null;
  const focused = place.contains(document.activeElement);
  place.innerHTML = html;
  if (open) /** @type {HTMLElement} */ (place.querySelector("[popover]")).showPopover();
  if (focused) place.querySelector("button")?.focus();
}

/** The server wrote the time left; it is written anew once a minute has passed. */
function countDown() {
  const left = document.getElementById("time-left");
  if (!left?.dataset.due) return;
  const due = new Date(left.dataset.due).getTime();
  const words = JSON.parse(left.dataset.words ?? "{}");
  setInterval(() => {
    const minutes = Math.floor((due - Date.now()) / MINUTE);
    left.classList.toggle("soon", minutes < 60);
    if (minutes > 0) left.textContent = words.left.replace("{time}", twoUnits(minutes, words));
    else left.textContent = due > Date.now() ? words.last : words.over;
  }, MINUTE);
}

/** The two largest units of a time, as the server says them.
 * @param {number} minutes @param {{and: string, units: Record<string, [string, string]>}} words
 */
function twoUnits(minutes, { and, units }) {
  const parts = /** @type {[string, number][]} */ ([["day", Math.floor(minutes / 1440)], ["hour", Math.floor(minutes / 60) % 24], ["minute", minutes % 60]]);
  while (!parts[0][1]) parts.shift();
  const told = parts.slice(0, 2).filter(([, number]) => number);
  return told.map(([unit, number]) => (number === 1 ? units[unit][0] : `${number}\u00a0${units[unit][1]}`)).join(and);
}

/** How many messages wait, where something has come for the reader. @param {string} topic */
async function count(topic) {
  const number = document.querySelector("[data-unread]");
  if (!(number instanceof HTMLElement) || !topic.startsWith("person:")) return;
  const response = await fetch(number.dataset.unread ?? "").catch(() => null);
  if (!response?.ok) return;
  const { unread } = await response.json();
  number.hidden = !unread;
  const figure = number.querySelector("[data-figure]");
  if (figure) figure.textContent = `${unread}`;
}

/** The messages open beside the map; their script comes when they are wanted.
 * @param {HTMLAnchorElement} opener @param {HTMLDialogElement} place
 */
function standBeside(opener, place) {
  /** @type {Promise<Beside> | undefined} */
  let beside;
  const made = () => (beside ??= import("./beside.js").then((module) => new module.Beside(place, opener)));
  opener.setAttribute("aria-expanded", "false");
  opener.addEventListener("click", async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const there = await made().catch(() => null);
    if (!there) location.assign(opener.href);
    else if (place.open) there.close();
    else await there.open();
  });
  if (matchMedia("(width > 60rem)").matches && wasOpen(place.dataset.kept ?? "")) made().then((there) => there.open(undefined, false), () => {});
}

/** Whether a column was open before its page was loaded anew. @param {string} name */
function wasOpen(name) {
  try {
    return Boolean(sessionStorage.getItem(name));
  } catch {
    return false;
  }
}
