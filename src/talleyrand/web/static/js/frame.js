/** What every page of a game does: tells that something has been published, and counts the time left down. */
const MINUTE = 60_000;

const frame = document.getElementById("game-frame");
if (frame) {
  document.addEventListener("talleyrand:changed", () => look(frame));
  countDown();
}

/** Ask whether the page is out of date, and say so beside what is being written. @param {HTMLElement} frame */
async function look(frame) {
  const response = await fetch(frame.dataset.now ?? "").catch(() => null);
  if (!response?.ok) return;
  const { number, edition } = await response.json();
  const news = document.getElementById("game-news");
  if (!news || edition === frame.dataset.edition) return;
  const said = `${number}` === frame.dataset.number ? news.dataset.changed : news.dataset.published;
  const words = news.querySelector("span");
  if (words) words.textContent = said ?? "";
  news.hidden = false;
}

/** The server wrote the time left; it is written anew once a minute has passed. */
function countDown() {
  const left = document.getElementById("time-left");
  if (!left?.dataset.due) return;
  const due = new Date(left.dataset.due).getTime();
  const form = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "always" });
  setInterval(() => {
    const minutes = Math.floor((due - Date.now()) / MINUTE);
    left.classList.toggle("soon", minutes < 60);
    if (minutes > 0) left.textContent = form.format(...rounded(minutes));
  }, MINUTE);
}

/** @param {number} minutes @returns {[number, "minute" | "hour" | "day"]} */
function rounded(minutes) {
  if (minutes < 120) return [minutes, "minute"];
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? [hours, "hour"] : [Math.floor(hours / 24), "day"];
}
