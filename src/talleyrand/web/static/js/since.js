/** @import { Scene } from "./types.js" */
import { byId } from "./text.js";

/** @typedef {{at: number, played: boolean, when: number}} Look `played`: with its results */

const KEY = "looks";
const MOST = 60;
const MOST_TOLD = 12;

/** What changed on a board since this browser last looked at it. */
export class Since {
  /** @param {string} board @param {number} here @param {boolean} played whether this page shows results */
  constructor(board, here, played) {
    this.board = board;
    this.here = here;
    this.played = played;
    this.before = looks()[board];
    this.#keep({ at: here, played, when: Date.now() });
  }

  /** The first phase whose results were never shown, it and those since; `fresh`: this page is the first to show its own. */
  missed() {
    const before = this.before;
    const first = before && before.at + (before.played ? 1 : 0);
    if (first === undefined || first > this.here) return { from: this.here, unseen: [], fresh: false };
    const unseen = Array.from({ length: this.here - first }, (_, at) => first + at).slice(-MOST_TOLD);
    return { from: first, unseen, fresh: this.played };
  }

  /** @param {Scene[]} scenes */
  tell(scenes) {
    const list = scenes.filter((scene) => scene.news.length).flatMap((scene) => {
      const title = document.createElement("dt");
      title.textContent = scene.title;
      return [title, ...scene.news.map((sentence) => said(sentence))];
    });
    byId("since-news").replaceChildren(...list);
    byId("since").hidden = !list.length;
    byId("since-close").addEventListener("click", () => (byId("since").hidden = true));
  }

  /** @param {Look} look */
  #keep(look) {
    const kept = { ...looks(), [this.board]: look };
    const latest = Object.entries(kept).sort(([, one], [, other]) => other.when - one.when).slice(0, MOST);
    try {
      localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(latest)));
    } catch {
      // A browser without storage sees each board as if for the first time.
    }
  }
}

/** @returns {Record<string, Look>} by board */
function looks() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return kept && typeof kept === "object" && !Array.isArray(kept) ? kept : {};
  } catch {
    return {};
  }
}

/** @param {string} sentence */
function said(sentence) {
  const item = document.createElement("dd");
  item.textContent = sentence;
  return item;
}
