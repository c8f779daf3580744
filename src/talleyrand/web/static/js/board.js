/** The one application of every page with a board. What the page is for is said by the data of `#board`:
 * `orders`, absent where the board is only looked at: `kept` on the server as they are given, `handed_in` besides, or
 * `carried` by the address; `draftUrl`, where each change is sent; `mine`, the reader's powers; `remember`, for games of this browser alone.
 */
/** @import { Wishes } from "./ordering.js" */
import { carrying } from "./carried.js";
import { handingIn } from "./hand_in.js";
import { openHistory } from "./history.js";
import { moveByKeys, openMap } from "./map.js";
import { Ordering } from "./ordering.js";
import { remember } from "./recent.js";
import { linkResults } from "./results.js";
import { openTabs } from "./tabs.js";
import { byId, say } from "./text.js";

/** @type {Record<string, () => Wishes>} */
const ORDERS = { kept: () => ({}), handed_in: handingIn, carried: carrying };

const { orders, draftUrl, mine, remember: remembered } = byId("board").dataset;
const { frame, viewport, marks } = openMap();

if (orders) new Ordering(draftUrl ?? "", frame, viewport, marks, ORDERS[orders]());
else {
  linkResults(frame, marks);
  moveByKeys(frame, viewport);
}
openHistory(frame, new Set(mine?.split(" ")));
openTabs();
if (remembered) remember();
shown("print")?.addEventListener("click", () => window.print());
shown("copy-link")?.addEventListener("click", async () => {
  const share = /** @type {HTMLInputElement} */ (byId("share"));
  share.select();
  await navigator.clipboard?.writeText(share.value).catch(() => document.execCommand("copy"));
  byId("status").textContent = say("copied");
});

// A picture goes to another application where this one can hand it over; elsewhere the link gives a file.
if ("canShare" in navigator)
  for (const link of document.querySelectorAll("a[data-share]"))
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const address = /** @type {HTMLAnchorElement} */ (link);
      import("./share.js").then(({ share }) => share(address)).catch(() => location.assign(address.href));
    });

/** A button that does nothing without scripts, where the page has it. @param {string} id */
function shown(id) {
  const button = document.getElementById(id);
  if (button) button.hidden = false;
  return button;
}

document.addEventListener("keydown", (event) => {
  const typing = event.target instanceof Element && event.target.closest("input, select, textarea, #viewport, dialog, .my-powers, .wide-table");
  if (typing || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  const link = step && document.querySelector(`.phase-bar a[rel=${step}][href]`);
  if (link instanceof HTMLAnchorElement) link.click();
});

// A page brought back by the browser may be older than the game whose history it shows.
window.addEventListener("pageshow", (event) => {
  if (event.persisted && document.getElementById("history")) location.reload();
});
