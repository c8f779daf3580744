/** A page that follows what happens: what is marked `data-fresh` is fetched anew when something has changed, and what
 * has `data-due` counts down. Whoever has something open in it keeps it open.
 */
const SECOND = 1000;
let busy = false;
let again = false;

document.addEventListener("talleyrand:changed", () => void refresh());
document.addEventListener("visibilitychange", () => document.hidden || void refresh());
count();
setInterval(count, SECOND);

async function refresh() {
  again = busy;
  if (busy) return;
  busy = true;
  const response = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store" }).catch(() => null);
  if (response && (response.ok || response.status === 404)) replace(await response.text());
  busy = false;
  if (again) void refresh();
}

/** @param {string} html */
function replace(html) {
  const shown = document.querySelector("[data-fresh]");
  // Another page may stand here now, or none; a board's style is not for this one.
  const made = html.includes("data-fresh") && new DOMParser().parseFromString(html, "text/html").querySelector("[data-fresh]");
  if (!shown || !made) return location.reload();
  const open = [...shown.querySelectorAll("details")].map((one) => one.open);
  [...made.querySelectorAll("details")].forEach((one, at) => (one.open = open[at] || false));
  shown.replaceWith(made);
  count();
}

function count() {
  for (const one of document.querySelectorAll("[data-due]")) {
    const left = Math.max(0, Math.round((Date.parse(/** @type {HTMLElement} */ (one).dataset.due || "") - Date.now()) / SECOND));
    const seconds = left % 60;
    one.textContent = `${Math.floor(left / 60)}:${seconds < 10 ? "0" : ""}${seconds}`;
  }
}
