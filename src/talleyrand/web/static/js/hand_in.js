/** @import { Draft } from "./draft.js" */
/** @import { Wishes } from "./ordering.js" */
/** @import { HandedIn } from "./types.js" */
import { untilHeard } from "./again.js";
import { byId, say } from "./text.js";

const AWAY = [502, 503, 504]; // the site is being started again

const board = byId("board");

/**
 * @typedef {object} Sender Who keeps a sheet until it is received.
 * @property {number[]} away statuses that say that nobody has heard it
 * @property {(sent: Record<string, unknown>) => void} sending
 * @property {() => void} waiting it has not been received so far
 * @property {(status: number, answer: HandedIn) => void} answered
 */

/** Orders that count once they are handed in: what such a page does besides, and how far its sheet is.
 * @param {Sender} [sender] where the page need not ask before it is left
 * @returns {Wishes}
 */
export function handingIn(sender) {
  byId("sheet").addEventListener("input", () => showButton(false));
  byId("resolve").addEventListener("click", (event) => {
    if (byId("resolve").getAttribute("aria-disabled") === "true") event.preventDefault();
  });
  if (!sender) warnOfUnsent();
  showButton(board.querySelector("#standing .state-saved, #standing .state-final") !== null && !board.querySelector("#standing [data-unsent]"));
  return {
    prepared: (state) => show(/** @type {HandedIn} */ (/** @type {unknown} */ (state))),
    changing: () => showButton(false),
    submit: async (form, button, draft) => {
      const answer = await delivered(form, button, draft, sender);
      if (answer) show(answer);
      return true;
    },
  };
}

/** Whoever leaves with orders that would not count is asked first; a form of the page that is sent is no leaving. */
function warnOfUnsent() {
  let sent = false;
  document.addEventListener("submit", (event) => {
    sent = sent || !event.defaultPrevented;
  });
  window.addEventListener("beforeunload", (event) => {
    if (!sent && board.querySelector("#standing [data-unsent]")) event.preventDefault();
  });
}

/** Send the whole sheet until the server says what became of it.
 * @param {HTMLFormElement} form @param {HTMLButtonElement} button @param {Draft} draft @param {Sender} [sender]
 * @returns {Promise<HandedIn | null>}
 */
async function delivered(form, button, draft, sender) {
  const submission = /** @type {HTMLInputElement} */ (byId("submission"));
  const words = byId("hand-in-words").dataset;
  const sent = { action: button.value, lines: draft.lines, submission: submission.value };
  const leaving = (/** @type {BeforeUnloadEvent} */ event) => event.preventDefault();
  if (sender) sender.sending(sent);
  else window.addEventListener("beforeunload", leaving);
  try {
    tell(words.sending || "", false);
    const url = form.getAttribute("action") || "";
    const { status, answer } = await sentWhole(url, draft.token, sent, sender ? sender.away : AWAY, (seconds) => {
      tell(say((seconds ? words.busy : words.offline) || "", { seconds: `${seconds}` }), true);
      if (sender) sender.waiting();
    });
    if (sender) sender.answered(status, answer);
    if (answer.submission) submission.value = answer.submission;
    tell(answer.submission ? answer.message : `${words.refused} ${answer.message}`, !answer.submission || Boolean(answer.refused));
    tellState(answer);
    return answer.submission ? answer : null;
  } finally {
    window.removeEventListener("beforeunload", leaving);
  }
}

/** @param {string} url @param {string} token @param {Record<string, unknown>} sent @param {number[]} away
 * @param {(seconds: number) => void} waiting
 * @returns {Promise<{status: number, answer: HandedIn}>}
 */
async function sentWhole(url, token, sent, away, waiting) {
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
  const response = await untilHeard(url, { method: "POST", headers, body: JSON.stringify(sent) }, away, waiting);
  const answer = await response.json().catch(() => ({ message: response.statusText }));
  return { status: response.status, answer };
}

/** What the bar of the buttons says of the sheet. @param {HandedIn} answer */
function tellState({ short, state, refused }) {
  if (short) byId("saved").textContent = refused ? `${short} · ✕ ${refused}` : `✓ ${short}`;
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
  byId("outlook").textContent = state.outlook || "";
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
  const [, power] = (board.dataset.draftUrl || "").match(/\/orders\/([^/]+)\//) || [];
  return power || "";
}

/** @param {boolean} current whether the sheet that counts is the one on this page */
function showButton(current) {
  const button = /** @type {HTMLButtonElement} */ (byId("resolve"));
  const words = byId("hand-in-words").dataset;
  button.setAttribute("aria-disabled", `${current}`); // not `disabled`, which takes the focus of whoever pressed it
  button.textContent = (current ? words.same : words.other) || "";
}
