/** @typedef {{url: string, title: string, when: string}} Game */

const KEY = "games";
const MOST = 12;

/** The games played in this browser, the last one first. @returns {Game[]} */
export function recent() {
  try {
    const games = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(games) ? games.filter((game) => typeof game?.url === "string") : [];
  } catch {
    return [];
  }
}

/** Note this page's game, so that its address is found again. */
export function remember() {
  const path = location.pathname.match(/^(?:\/en)?(\/p\/[\w-]+\/)/)?.[1];
  if (!path) return;
  const game = { url: path, title: document.title.slice(0, document.title.lastIndexOf(` · ${siteName()}`)), when: new Date().toISOString() };
  store([game, ...recent().filter((other) => other.url !== path)].slice(0, MOST));
}

/** What closes the title of every page. */
function siteName() {
  return document.querySelector(".brand")?.textContent?.trim() ?? "";
}

/** @param {Game[]} games */
function store(games) {
  try {
    localStorage.setItem(KEY, JSON.stringify(games));
  } catch {
    // A browser without storage keeps the address in its history alone.
  }
}
