/** Letters: what is typed stays in the browser until the site has it, and what comes is put into the page. */
const RETRY = 3000;
const BUSY = 502; // from here on the site is not there, or not yet again

/** @typedef {{text: string, submission: string, writer: string, unsigned: boolean}} Kept */

class Writing {
  #sending = false;

  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    this.text = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("text"));
    this.submission = /** @type {HTMLInputElement} */ (form.elements.namedItem("submission"));
    this.writer = /** @type {HTMLSelectElement | null} */ (form.elements.namedItem("writer"));
    this.unsigned = /** @type {HTMLInputElement | null} */ (form.elements.namedItem("unsigned"));
    this.place = `talleyrand-letter ${form.dataset.letter}`;
    this.restore();
    form.addEventListener("input", () => this.keep());
    form.querySelector("[data-orders]")?.addEventListener("click", (event) => this.insert(event));
    form.addEventListener("submit", (event) => this.submit(event));
    this.text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    });
  }

  /** Put one's orders where the cursor is, instead of loading the page with them. @param {Event} event */
  insert(event) {
    const orders = /** @type {HTMLElement} */ (event.currentTarget).dataset.orders ?? "";
    event.preventDefault();
    const { text } = this;
    const before = text.value.slice(0, text.selectionStart);
    text.setRangeText(before && !before.endsWith("\n") ? `\n${orders}` : orders, text.selectionStart, text.selectionEnd, "end");
    text.focus();
    this.keep();
  }

  /** @param {string} words @param {boolean} [wrong] */
  tell(words, wrong = false) {
    const told = this.form.querySelector("[data-told]");
    if (!told) return;
    told.textContent = words;
    told.classList.toggle("wrong", wrong);
  }

  keep() {
    const { text, submission, writer, unsigned } = this;
    const kept = { text: text.value, submission: submission.value, writer: writer?.value ?? "", unsigned: Boolean(unsigned?.checked) };
    if (text.value.trim()) store(this.place, JSON.stringify(kept));
    else store(this.place, null);
  }

  /** A draft of before, unless the page came with a text. */
  restore() {
    if (this.text.value) return;
    const kept = read(this.place);
    if (!kept?.text) return;
    this.text.value = kept.text;
    this.submission.value = kept.submission || this.submission.value;
    if (this.writer && [...this.writer.options].some((one) => one.value === kept.writer)) this.writer.value = kept.writer;
    if (this.unsigned) this.unsigned.checked = kept.unsigned;
    this.tell(this.form.dataset.kept ?? "");
  }

  /** @param {SubmitEvent} event */
  async submit(event) {
    event.preventDefault();
    if (this.#sending) return;
    this.#sending = true;
    this.text.readOnly = true;
    this.tell(this.form.dataset.sending ?? "");
    await this.heard(await this.deliver());
    this.text.readOnly = false;
    this.#sending = false;
  }

  /** The answer, asked for until there is one: the same letter sent twice is one letter. */
  async deliver() {
    for (;;) {
      const response = await fetch(location.href, {
        method: "POST",
        headers: { Accept: "application/json" },
        body: new FormData(this.form),
      }).catch(() => null);
      if (response && response.status < BUSY) return response;
      this.tell(this.form.dataset.offline ?? "", true);
      await new Promise((resolve) => setTimeout(resolve, RETRY));
    }
  }

  /** @param {Response} response */
  async heard(response) {
    const answer = await response.json().catch(() => null);
    if (!response.ok || !answer?.room) return this.tell(answer?.message ?? this.form.dataset.fault ?? "", true);
    store(this.place, null);
    this.text.value = "";
    this.submission.value = answer.submission;
    if (this.unsigned) this.unsigned.checked = false;
    if (answer.room !== location.pathname) return location.assign(`${answer.room}#write`);
    this.tell(answer.said);
    await refresh();
  }
}

/** @param {string} place @returns {Kept | null} */
function read(place) {
  try {
    return JSON.parse(localStorage.getItem(place) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} place @param {string | null} text */
function store(place, text) {
  try {
    if (text === null) localStorage.removeItem(place);
    else localStorage.setItem(place, text);
  } catch {
    // a browser that keeps nothing: the draft lives as long as its page
  }
}

let stale = false;

/** Put what has changed into the page; later where nobody looks, since to see a letter is to have read it. */
async function refresh() {
  stale = document.hidden;
  if (stale) return;
  const response = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!response?.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const part of document.querySelectorAll("[data-live]")) {
    const other = fresh.querySelector(`[data-live="${/** @type {HTMLElement} */ (part).dataset.live}"]`);
    if (other && other.innerHTML !== part.innerHTML) exchange(part, other);
  }
}

/** @param {Element} part @param {Element} other */
function exchange(part, other) {
  const known = new Set([...part.querySelectorAll(".letter")].map((one) => one.id));
  const focused = document.activeElement instanceof HTMLAnchorElement && part.contains(document.activeElement) ? document.activeElement : null;
  part.replaceChildren(...other.childNodes);
  if (focused) [...part.querySelectorAll("a")].find((one) => one.href === focused.href)?.focus();
  const come = [...part.querySelectorAll(".letter.new")].filter((one) => !known.has(one.id));
  const news = document.getElementById("letters-news");
  if (news && come.length) news.textContent = come.map((one) => one.querySelector(".letter-head")?.textContent?.trim()).join("; ");
}

const form = document.querySelector("form[data-letter]");
if (form instanceof HTMLFormElement) new Writing(form);
if (document.querySelector("[data-live]")) {
  document.addEventListener("talleyrand:changed", refresh);
  document.addEventListener("visibilitychange", () => {
    if (stale) refresh();
  });
}
