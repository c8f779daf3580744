import { moveByKeys, openMap } from "./map.js";
import { order } from "./ordering.js";
import { linkResults } from "./results.js";
import { openTabs } from "./tabs.js";
import { byId } from "./text.js";

const board = byId("board");
const { frame, viewport, marks } = openMap();

if (board.dataset.draftUrl) {
  order(board.dataset.draftUrl, frame, viewport, marks, { carried: true });
  sendSheetAlone(/** @type {HTMLFormElement} */ (byId("orders")));
} else {
  linkResults(frame, marks);
  moveByKeys(frame, viewport);
}
openTabs();
keepOrdersAcrossLanguages();

/** The sheet says all that the menus say: the address of the answer stays short.
 * @param {HTMLFormElement} form
 */
function sendSheetAlone(form) {
  form.addEventListener("formdata", ({ formData }) => {
    for (const name of [...formData.keys()]) if (/^(order-|waive-|base$|scripted$)/.test(name)) formData.delete(name);
  });
}

/** The address of this page changes with its orders; the links to its other languages follow. */
function keepOrdersAcrossLanguages() {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[hreflang]"))) {
    link.addEventListener("click", () => (link.search = location.search));
  }
}
