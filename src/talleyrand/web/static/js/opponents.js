import { byId, say } from "./text.js";

const PAUSE = 700;
const card = document.getElementById("thinking");

/** Ask how far the computer is until it is done, then show what came of it.
 * @param {HTMLElement} waiting the card that says how far
 */
async function watch(waiting) {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    const answer = await ask(waiting.dataset.url ?? "");
    if (!answer) byId("thought-words").textContent = say("computer_silent");
    else if (answer.over) return location.replace(waiting.dataset.done ?? location.href);
    else if (answer.trouble) return location.reload();
    else if (answer.follow && `${answer.number}` !== waiting.dataset.number) return location.replace(answer.url);
    else tell(answer);
  }
}

/** @param {string} url */
async function ask(url) {
  const response = await fetch(url).catch(() => null);
  return response?.ok ? response.json().catch(() => null) : null;
}

/** @param {{sentence: string, value: number, most: number}} answer */
function tell(answer) {
  const bar = /** @type {HTMLProgressElement} */ (byId("thought"));
  bar.max = answer.most;
  bar.value = answer.value;
  const words = byId("thought-words");
  if (words.textContent !== answer.sentence) words.textContent = answer.sentence;
}

if (card && document.getElementById("thought")) watch(card);
