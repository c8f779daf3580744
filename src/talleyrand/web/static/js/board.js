import { openHistory } from "./history.js";
import { moveByKeys, openMap } from "./map.js";
import { linkResults } from "./results.js";
import { remember } from "./recent.js";
import { openTabs } from "./tabs.js";
import { byId } from "./text.js";
import { order } from "./ordering.js";
import { say } from "./text.js";

const board = byId("board");
const { frame, viewport, marks } = openMap();

if (board.dataset.draftUrl) order(board.dataset.draftUrl, frame, viewport, marks);
else {
  linkResults(frame, marks);
  moveByKeys(frame, viewport);
}
openHistory(frame);

openTabs();
if (board.dataset.remember) remember();

const print = byId("print");
print.hidden = false;
print.addEventListener("click", () => window.print());

const copy = byId("copy-link");
const share = /** @type {HTMLInputElement} */ (byId("share"));
copy.hidden = false;
copy.addEventListener("click", async () => {
  share.select();
  await navigator.clipboard?.writeText(share.value).catch(() => document.execCommand("copy"));
  byId("status").textContent = say("copied");
});

document.addEventListener("keydown", (event) => {
  const typing = event.target instanceof Element && event.target.closest("input, select, textarea, #viewport, dialog");
  if (typing || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  const link = step && document.querySelector(`.phase-bar a[rel=${step}][href]`);
  if (link instanceof HTMLAnchorElement) link.click();
});

// A page brought back by the browser may be older than the game.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
