/** The desk without waiting: taps are sent and the parts of the page they change come back; what others do shows. */

const page = document.querySelector("[data-desk]");
/** @type {AbortController | null} */
let looking = null;
let sending = 0;

if (page) {
  document.addEventListener("submit", (event) => void quickly(event));
  document.addEventListener("talleyrand:changed", () => void look());
  document.addEventListener("input", onInput);
  document.addEventListener("keydown", onward);
  document.addEventListener("change", onInput);
  setInterval(countDown, 1000);
  refresh();
}
find();

/** On a telephone the menus keep to one line: show where one is in it. */
function find() {
  const here = document.querySelector(".desk-nav [aria-current]");
  if (here instanceof HTMLElement) here.parentElement?.scrollTo({ left: here.offsetLeft - 60 });
}

/** A form that may be sent without leaving the page. @param {SubmitEvent} event */
async function quickly(event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.dataset.quick === undefined) return;
  event.preventDefault();
  const button = event.submitter instanceof HTMLButtonElement ? event.submitter : null;
  const data = new FormData(form, button);
  button?.setAttribute("aria-busy", "true");
  sending += 1;
  try {
    const answer = await fetch(form.action || location.href, { method: "POST", body: data });
    show(await answer.text(), button?.id ?? "");
  } catch {
    lose();
  } finally {
    sending -= 1;
    button?.removeAttribute("aria-busy");
  }
}

/** No answer: the page stays, and says so where a refusal stands. */
function lose() {
  const told = document.createElement("p");
  told.className = "refusal";
  told.setAttribute("role", "alert");
  told.textContent = page?.closest("[data-lost]")?.getAttribute("data-lost") ?? "";
  document.getElementById("desk-refused")?.replaceChildren(told);
  told.scrollIntoView({ block: "nearest" });
}

/** Somebody has changed something: take over the parts in which nobody is busy. */
async function look() {
  if (sending) return;
  looking?.abort();
  looking = new AbortController();
  const answer = await fetch(location.href, { signal: looking.signal }).catch(() => null);
  if (answer?.ok && !sending) show(await answer.text(), "");
}

/** Put the parts of an answer in place of those of the page. @param {string} text @param {string} last */
function show(text, last) {
  const fresh = new DOMParser().parseFromString(text, "text/html");
  const focused = last || document.activeElement?.id || "";
  for (const part of document.querySelectorAll("[data-part]")) {
    const other = fresh.getElementById(part.id);
    if (other && !busy(part)) part.replaceWith(other);
  }
  const told = fresh.querySelector("main > [role=status]");
  const before = document.querySelector("main > [role=status]");
  if (told && before) before.replaceWith(told);
  else if (told) document.querySelector("main")?.prepend(told);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  refresh();
}

/** Whether somebody is writing or choosing in a part. @param {Element} part */
function busy(part) {
  if (sending) return false;
  const active = document.activeElement;
  const writes = active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement || active instanceof HTMLSelectElement;
  return (writes && part.contains(active)) || part.querySelector("input[name=pick]:checked") !== null;
}

/** @param {Event} event */
function onInput(event) {
  const field = event.target;
  if (field instanceof HTMLInputElement && field.dataset.filter) filter(field);
  if (field instanceof HTMLInputElement && (field.dataset.centres !== undefined || field.name === "result.neutral")) add(field.form);
}

/** Enter goes to the next power, and from the last one to the button; nothing is sent before. @param {KeyboardEvent} event */
function onward(event) {
  const field = event.target;
  if (event.key !== "Enter" || event.isComposing || !(field instanceof HTMLInputElement) || field.dataset.centres === undefined) return;
  event.preventDefault();
  const fields = [...(field.form?.querySelectorAll("[data-centres]") ?? [])];
  const next = fields[fields.indexOf(field) + 1] ?? field.form?.querySelector("button.primary");
  if (next instanceof HTMLElement) next.focus();
  if (next instanceof HTMLInputElement) next.select();
}

function refresh() {
  for (const field of document.querySelectorAll("[data-filter]")) filter(/** @type {HTMLInputElement} */ (field));
  for (const form of document.querySelectorAll("[data-sum]")) add(/** @type {HTMLFormElement} */ (form));
}

/** Keep the rows in which every word is found. @param {HTMLInputElement} field */
function filter(field) {
  const words = plain(field.value).split(" ").filter(Boolean);
  for (const row of document.querySelectorAll(`#${field.dataset.filter} > [data-plain]`)) {
    const text = /** @type {HTMLElement} */ (row).dataset.plain ?? "";
    /** @type {HTMLElement} */ (row).hidden = !words.every((word) => text.includes(word));
  }
}

/** @param {string} text */
function plain(text) {
  return text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
}

/** Whether the centres add up, while they are typed. @param {HTMLFormElement | null} form */
function add(form) {
  const line = form?.querySelector(".desk-sum");
  const told = line?.querySelector("[data-told]");
  if (!form || !line || !told) return;
  const fields = [...form.querySelectorAll("[data-centres], [name='result.neutral']")];
  const typed = fields.map((field) => /** @type {HTMLInputElement} */ (field).value.trim());
  const sum = typed.reduce((all, one) => all + (Number.parseInt(one, 10) || 0), 0);
  const begun = typed.some((one) => one !== "" && one !== "0");
  const right = `${sum}` === form.dataset.sum;
  told.textContent = begun ? `${sum}` : "";
  line.classList.toggle("right", begun && right);
  line.classList.toggle("wrong", begun && !right && typed.slice(0, -1).every((one) => one !== ""));
}

/** The clock of the desk goes on between two answers. */
function countDown() {
  const time = document.querySelector(".desk-time .time[data-running]");
  if (!(time instanceof HTMLElement)) return;
  const left = Number(time.dataset.seconds) - 1;
  time.dataset.seconds = `${left}`;
  if (left < 0) {
    time.removeAttribute("data-running");
    return void look();
  }
  time.textContent = `${Math.floor(left / 60)}:${`${left % 60}`.padStart(2, "0")}`;
}
export {};
