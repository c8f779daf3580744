/** @import { Ordering } from "./ordering.js" */
/** @import { HandedIn } from "./types.js" */
import { untilHeard } from "./again.js";
import { openHistory } from "./history.js";
import { moveByKeys, openMap } from "./map.js";
import { order } from "./ordering.js";
import { linkResults } from "./results.js";
import { openTabs } from "./tabs.js";
import { byId, say } from "./text.js";

const AWAY = [502, 503, 504]; // the site is being started again

const board = byId("board");
const { frame, viewport, marks } = openMap();

if (board.dataset.draftUrl) handIn(board.dataset.draftUrl);
else {
  linkResults(frame, marks);
  moveByKeys(frame, viewport);
}
openHistory(frame);
openTabs();

/** @param {string} url where the draft is kept */
function handIn(url) {
  /** @type {HandedIn | null} */
  let latest = null;
  const ordering = order(url, frame, viewport, marks, {
    prepared: (state) => show(/** @type {HandedIn} */ (/** @type {unknown} */ (state))),
    changing: () => showButton(false),
    submit: async (form, button) => {
      latest = await delivered(form, button, ordering);
      if (latest) show(latest);
      return true;
    },
  });
  byId("sheet").addEventListener("input", () => showButton(false));
  byId("resolve").addEventListener("click", (event) => {
    if (byId("resolve").getAttribute("aria-disabled") === "true") event.preventDefault();
  });
  showButton(board.querySelector("#standing .state-saved, #standing .state-final") !== null && !board.querySelector("#standing .warn"));
}

/** Send the whole sheet until the server says what became of it.
 * @param {HTMLFormElement} form @param {HTMLButtonElement} button @param {Ordering} ordering
 * @returns {Promise<HandedIn | null>}
 */
async function delivered(form, button, ordering) {
  const submission = /** @type {HTMLInputElement} */ (byId("submission"));
  const words = byId("hand-in-words").dataset;
  const sent = { action: button.value, lines: ordering.draft.lines, submission: submission.value };
  const leaving = (/** @type {BeforeUnloadEvent} */ event) => event.preventDefault();
  window.addEventListener("beforeunload", leaving);
  try {
    tell(words.sending ?? "", false);
    const answer = await sentWhole(form.getAttribute("action") ?? "", ordering.draft.token, sent, (seconds) => tell(say((seconds ? words.busy : words.offline) ?? "", { seconds: `${seconds}` }), true));
    if (answer.submission) submission.value = answer.submission;
    tell(answer.submission ? answer.message : `${words.refused} ${answer.message}`, !answer.submission);
    tellState(answer);
    return answer.submission ? answer : null;
  } finally {
    window.removeEventListener("beforeunload", leaving);
  }
}

/** @param {string} url @param {string} token @param {Record<string, unknown>} sent @param {(seconds: number) => void} waiting
 * @returns {Promise<HandedIn>}
 */
async function sentWhole(url, token, sent, waiting) {
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
  const response = await untilHeard(url, { method: "POST", headers, body: JSON.stringify(sent) }, AWAY, waiting);
  return response.json().catch(() => ({ message: response.statusText }));
}

/** What the bar of the buttons says of the sheet. @param {HandedIn} answer */
function tellState({ short, state }) {
  if (short) byId("saved").textContent = `✓ ${short}`;
  else if (state) byId("saved").textContent = `${state.sign} ${state.words}`;
}

/** @param {string} text @param {boolean} wrong */
function tell(text, wrong) {
  const status = byId("status");
  status.textContent = text;
  status.classList.toggle("wrong", wrong);
}

/** How far the sheet is, wherever the page says it. @param {HandedIn} state */
function show(state) {
  if (!state.standing || !state.state) return;
  byId("standing").innerHTML = state.standing;
  byId("outlook").textContent = state.outlook ?? "";
  const { code, sign, words } = state.state;
  for (const place of document.querySelectorAll("#game-frame .my-powers [data-state-of]")) {
    if (place.getAttribute("data-state-of") !== powerShown()) continue;
    place.className = `sheet-state state-${code}`;
    const [mark, said] = [place.querySelector(".sign"), place.querySelector(".words")];
    if (mark) mark.textContent = sign;
    if (said) said.textContent = words;
  }
  const final = /** @type {HTMLButtonElement} */ (byId("final"));
  final.value = state.final ? "open_again" : "final";
  final.setAttribute("aria-pressed", `${state.final}`);
  showButton(state.current);
}

function powerShown() {
  return board.dataset.draftUrl?.match(/\/orders\/([^/]+)\//)?.[1] ?? "";
}

/** @param {boolean} current whether the sheet that counts is the one on this page */
function showButton(current) {
  const button = /** @type {HTMLButtonElement} */ (byId("resolve"));
  const words = byId("hand-in-words").dataset;
  button.setAttribute("aria-disabled", `${current}`); // not `disabled`, which takes the focus of whoever pressed it
  button.textContent = (current ? words.same : words.other) ?? "";
}

// A page brought back by the browser may be older than the game.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
