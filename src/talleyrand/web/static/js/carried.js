/** @import { Wishes } from "./ordering.js" */
import { byId } from "./text.js";

/** Orders that the address of the page carries, as the server keeps none. @returns {Wishes} */
export function carrying() {
  // The sheet says all that the menus say: the address of the answer stays short.
  byId("orders").addEventListener("formdata", ({ formData }) => {
    for (const name of [...formData.keys()]) if (/^(order-|waive-|base$|scripted$)/.test(name)) formData.delete(name);
  });
  return { carried: true, prepared: keepAddress };
}

/** The address changes with the orders, and so do the links to the page's other languages.
 * @param {import("./types.js").Prepared} state
 */
function keepAddress({ address }) {
  history.replaceState(history.state, "", address);
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[hreflang]"))) link.search = location.search;
}
