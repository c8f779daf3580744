/** Of dates and hours: the page's language, English as the server writes it, 16:05. */
export const LOCALE = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;

/** Reads a block of JSON that the page carries.
 * @param {string} id
 * @returns {any} null where the page has no such block
 */
export function embedded(id) {
  const block = document.getElementById(id);
  return block ? JSON.parse(block.textContent || "null") : null;
}

/** @type {Record<string, string>} */
const sentences = embedded("strings") || {};

/** A sentence of the page's language with its blanks filled.
 * @param {string} key
 * @param {Record<string, string>} [facts]
 */
export function say(key, facts = {}) {
  return (key in sentences ? sentences[key] : key).replace(/\{(\w+)\}/g, (_whole, name) => facts[name] || "");
}

/** An element that the page must have.
 * @param {string} id
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no #${id}`);
  return found;
}
