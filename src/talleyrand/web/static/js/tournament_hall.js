/** Pages of a tournament: parts that come anew when something has changed, a clock, sums, filters. */

const WAIT = 400; // a phone in a crowd asks once for many changes
const SPREAD = 1200; // and not all phones at once
const PATIENCE = 10_000; // milliseconds that a form waits to hear the site
const PAUSE = 2500; // and none again sooner: two hundred of them would ask without end while people arrive

/** @param {Element} part */
function left(part) {
  const clock = part.querySelector("[data-remaining]");
  const shown = clock?.querySelector("[data-left]");
  if (!(clock instanceof HTMLElement) || !shown) return;
  const until = Date.now() + Number(clock.dataset.remaining) * 1000;
  const show = () => {
    if (!clock.isConnected) return clearInterval(ticking);
    const seconds = Math.max(0, Math.round((until - Date.now()) / 1000));
    shown.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (!seconds) {
      clearInterval(ticking);
      document.dispatchEvent(new CustomEvent("talleyrand:changed", { detail: { topic: "clock" } }));
    }
  };
  const ticking = setInterval(show, 1000);
}

/** Letters as one looks for them: small, without accents.
 * @param {string} text
 */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** @param {Document | Element} part */
function filters(part) {
  for (const field of part.querySelectorAll("input[data-filter]")) {
    if (!(field instanceof HTMLInputElement)) continue;
    const list = document.getElementById(field.dataset.filter ?? "");
    const row = field.closest(".hall-filter");
    if (!list || !(row instanceof HTMLElement)) continue;
    row.hidden = list.children.length < 8;
    const sift = () => {
      const wanted = plain(field.value.trim());
      for (const one of list.children) {
        if (one instanceof HTMLElement) one.hidden = !plain(one.dataset.name ?? "").includes(wanted);
      }
    };
    field.addEventListener("input", sift);
    sift();
  }
}

/** @param {Document | Element} part */
function sums(part) {
  for (const form of part.querySelectorAll("form.hall-result")) {
    const shown = form.querySelector("[data-sum]");
    if (!(shown instanceof HTMLElement)) continue;
    const add = () => {
      let sum = 0;
      for (const field of form.querySelectorAll("input[data-centres]")) {
        if (field instanceof HTMLInputElement) sum += Number.parseInt(field.value, 10) || 0;
      }
      shown.hidden = false;
      shown.textContent = `${sum} / ${shown.dataset.total}`;
      shown.classList.toggle("wrong", `${sum}` !== shown.dataset.total);
    };
    form.addEventListener("input", add);
    add();
  }
}

/** Whether somebody is writing in a part, or has written something that is not sent.
 * @param {HTMLElement} part
 */
function busy(part) {
  const active = document.activeElement;
  if (asking.size || (active && part.contains(active) && active.matches("input, select, textarea"))) return true;
  return [...part.querySelectorAll("form[data-touched]")].length > 0;
}

/** @param {HTMLElement} part */
async function renew(part) {
  const answer = await fetch(location.href, { credentials: "same-origin" }).catch(() => null);
  if (!answer?.ok || busy(part)) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById(part.id);
  if (!fresh || busy(part)) return;
  const open = [...part.querySelectorAll("details")].map((one) => one.open);
  const typed = [...part.querySelectorAll("input[data-filter]")].map((one) => /** @type {HTMLInputElement} */ (one).value);
  part.replaceChildren(...fresh.childNodes);
  const parts = [...part.querySelectorAll("details")];
  if (parts.length === open.length) parts.forEach((one, at) => (one.open = open[at] ?? one.open));
  const fields = [...part.querySelectorAll("input[data-filter]")];
  fields.forEach((one, at) => (/** @type {HTMLInputElement} */ (one).value = typed[at] ?? ""));
  equip(part);
}

/** @param {Document | HTMLElement} part */
function equip(part) {
  filters(part);
  sums(part);
  left(part instanceof Document ? part.body : part);
}

/** @param {HTMLElement} part */
function live(part) {
  let waiting = 0;
  let last = -PAUSE;
  part.addEventListener("input", (event) => {
    if (event.target instanceof Element) event.target.closest("form[data-keep]")?.setAttribute("data-touched", "");
  });
  document.addEventListener("talleyrand:changed", () => {
    if (waiting) return;
    const rest = Math.max(0, last + PAUSE - performance.now());
    waiting = window.setTimeout(() => {
      waiting = 0;
      last = performance.now();
      void renew(part);
    }, rest + WAIT + Math.random() * SPREAD);
  });
}

/** Forms whose network has just been heard. @type {WeakSet<HTMLFormElement>} */
const heard = new WeakSet();
/** Forms that wait to hear it. @type {Set<HTMLFormElement>} */
const asking = new Set();

/** Sends a form once the site answers, since a browser throws away what was typed when nobody does.
 * @param {SubmitEvent} event
 */
function carefully(event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.method !== "post" || heard.delete(form)) return;
  event.preventDefault();
  if (!asking.has(form)) void ask(form, event.submitter);
}

/** @param {HTMLFormElement} form @param {HTMLElement | null} button */
async function ask(form, button) {
  asking.add(form);
  form.querySelector("[data-lost-here]")?.remove();
  const answer = await fetch(import.meta.url, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(PATIENCE) }).catch(() => null);
  asking.delete(form);
  if (!answer) return lose(form);
  heard.add(form);
  form.requestSubmit(button);
}

/** No answer: the page stays as it is, and says so. @param {HTMLFormElement} form */
function lose(form) {
  const told = document.createElement("p");
  told.className = "refusal";
  told.dataset.lostHere = "";
  told.setAttribute("role", "alert");
  told.textContent = form.closest("[data-lost]")?.getAttribute("data-lost") ?? "";
  form.append(told);
  told.scrollIntoView({ block: "nearest" });
}

document.addEventListener("submit", carefully);
for (const part of document.querySelectorAll("[data-live]")) if (part instanceof HTMLElement) live(part);
equip(document);
export {};
