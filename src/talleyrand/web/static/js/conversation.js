/** One page of letters, in its own frame or beside a map: what is typed stays in the browser until the site has it,
 * and what comes is put into the page.
 */
const RETRY = 3000;
const BUSY = 502; // from here on the site is not there, or not yet again

/** @typedef {{text: string, submission: string, writer: string, unsigned: boolean}} Kept */

/**
 * @typedef {object} Page Where the letters are shown.
 * @property {HTMLElement} root
 * @property {() => string} address
 * @property {(address: string) => void} go on to another page of letters
 */

/** The header by which a page of letters is asked for without its frame. */
export const ALONE = { "X-Alone": "1" };

class Writing {
  #sending = false;

  /** @param {HTMLFormElement} form @param {Letters} letters */
  constructor(form, letters) {
    this.form = form;
    this.letters = letters;
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
      const response = await fetch(this.form.action, {
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
    if (!this.form.isConnected) return;
    const { address, go } = this.letters.page;
    if (answer.room !== new URL(address()).pathname) return go(`${answer.room}#write`);
    this.tell(answer.said);
    await this.letters.refresh();
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

/** The letters of one page. */
export class Letters {
  #stale = false;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    const form = page.root.querySelector("form[data-letter]");
    if (form instanceof HTMLFormElement) new Writing(form, this);
  }

  /** Put what has changed into the page; later where nobody looks, since to see a letter is to have read it. */
  async refresh() {
    this.#stale = document.hidden;
    const { root, address } = this.page;
    if (this.#stale || !root.querySelector("[data-live]")) return;
    const asked = address();
    const response = await fetch(asked, { headers: ALONE }).catch(() => null);
    if (!response?.ok || asked !== address()) return;
    const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const part of root.querySelectorAll("[data-live]")) {
      const other = fresh.querySelector(`[data-live="${/** @type {HTMLElement} */ (part).dataset.live}"]`);
      if (other && other.innerHTML !== part.innerHTML) exchange(part, other);
    }
  }

  /** Somebody looks again. */
  seen() {
    if (this.#stale) this.refresh();
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
