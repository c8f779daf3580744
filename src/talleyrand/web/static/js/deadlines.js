/** Shows the dates of a rule while it is being filled in. */

const PAUSE = 300;

/** @param {HTMLElement} part */
function live(part) {
  const form = part.closest("form");
  const shown = part.querySelector(".dated-plan");
  const address = part.dataset.dates;
  if (!form || !shown || !address) return;
  // Away with it, not only out of sight: the first button of a form is what Enter presses.
  const button = part.querySelector("button[formaction]");
  const place = button?.parentElement;
  button?.remove();
  let asked = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  const show = async () => {
    const mine = ++asked;
    const headers = { "X-Talleyrand-Part": "dates" };
    const answer = await fetch(address, { method: "POST", body: told(form), headers }).catch(() => null);
    if (mine !== asked) return;
    if (answer?.ok) shown.innerHTML = await answer.text();
    else if (button) place?.append(button);
  };
  part.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, PAUSE);
  });
  void show();
}

/** What the form holds of the dates, and nothing else of it.
 * @param {HTMLFormElement} form
 */
function told(form) {
  const sent = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string" && (name.startsWith("dates-") || name === "csrfmiddlewaretoken")) sent.append(name, value);
  }
  return sent;
}

for (const part of document.querySelectorAll("[data-dates]")) if (part instanceof HTMLElement) live(part);
