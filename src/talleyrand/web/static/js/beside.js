/** Messages beside the map, a column at a desk and a drawer on a phone: the pages of messages, fetched without their
 * frame one after the other. Nothing of what is typed or ordered on the page is touched.
 */
import { ALONE, Letters } from "./conversation.js";

const FAULT = 500; // from here on the site could not answer, and may yet
const COLUMN = matchMedia("(width > 60rem)");

export class Beside {
  /** @type {Letters | null} */
  #letters = null;
  /** The page that is shown. */
  #address = "";
  /** The page that was asked for last. */
  #wish = "";

  /** @param {HTMLDialogElement} dialog @param {HTMLElement} opener */
  constructor(dialog, opener) {
    this.dialog = dialog;
    this.opener = opener;
    this.part = /** @type {HTMLElement} */ (dialog.querySelector("[data-part]"));
    this.style = styled(dialog.dataset.style ?? "");
    this.#listen();
  }

  /** Show a page of messages, or the one shown last. @param {string} [address] @param {boolean} [focused] */
  async open(address = kept(this.#place) || this.#list, focused = true) {
    await this.style;
    if (!this.dialog.open) this.#stand(focused);
    await this.#load(address, focused);
  }

  close() {
    this.dialog.close();
  }

  /** The page of all conversations. */
  get #list() {
    return new URL(this.dialog.dataset.address ?? "", location.href).href;
  }

  get #place() {
    return this.dialog.dataset.kept ?? "";
  }

  /** @param {boolean} focused */
  #stand(focused) {
    const before = document.activeElement;
    if (COLUMN.matches) this.dialog.show();
    else this.dialog.showModal();
    if (!focused) /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
    if (!focused && before instanceof HTMLElement) before.focus({ preventScroll: true });
    this.opener.setAttribute("aria-expanded", "true");
  }

  #listen() {
    const { dialog } = this;
    dialog.querySelector("[data-close]")?.addEventListener("click", () => this.close());
    dialog.addEventListener("close", () => this.#closed());
    dialog.addEventListener("keydown", (event) => {
      event.stopPropagation(); // the keys of the map are not meant here
      if (event.key !== "Escape") return;
      event.preventDefault();
      this.close();
    });
    dialog.addEventListener("click", (event) => this.#clicked(event));
    dialog.addEventListener("submit", (event) => this.#asked(event));
    COLUMN.addEventListener("change", () => {
      if (!dialog.open) return;
      dialog.close();
      this.#stand(false);
    });
    document.addEventListener("talleyrand:changed", () => dialog.open && this.#letters?.refresh());
    document.addEventListener("visibilitychange", () => dialog.open && this.#letters?.seen());
  }

  #closed() {
    if (this.dialog.open) return; // it was turned from a drawer into a column
    this.opener.setAttribute("aria-expanded", "false");
    keep(this.#place, "");
    this.opener.focus({ preventScroll: true });
  }

  /** A way to another page of messages stays here. @param {MouseEvent} event */
  #clicked(event) {
    if (event.target === this.dialog && !COLUMN.matches) this.close();
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.defaultPrevented || link.hasAttribute("download") || link.dataset.whole !== undefined) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    this.#load(link.href, true);
  }

  /** @param {SubmitEvent} event */
  #asked(event) {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (event.defaultPrevented || form.method !== "get") return;
    event.preventDefault();
    const fields = /** @type {[string, string][]} */ ([...new FormData(form)]);
    this.#load(`${form.action}?${new URLSearchParams(fields)}`, true);
  }

  /** @param {string} address @param {boolean} focused */
  async #load(address, focused) {
    const wish = new URL(address, location.href).href;
    this.#wish = wish;
    this.part.setAttribute("aria-busy", "true");
    const response = await fetch(wish, { headers: ALONE }).catch(() => null);
    const text = response ? await response.text().catch(() => "") : "";
    if (wish !== this.#wish) return;
    this.part.removeAttribute("aria-busy");
    const page = new DOMParser().parseFromString(text, "text/html");
    const letters = page.querySelector(".letters-page");
    if (letters && !page.querySelector("#main")) this.#show(letters, `${response?.url}${new URL(wish).hash}`, focused);
    else if (response?.status === 404 && wish !== this.#list) this.#load(this.#list, focused);
    else if (response && response.status < FAULT) location.assign(wish); // signed out, say: a page of its own
    else this.#tell(wish);
  }

  /** @param {Element} letters @param {string} address @param {boolean} focused */
  #show(letters, address, focused) {
    this.#address = address;
    keep(this.#place, address);
    this.part.replaceChildren(letters);
    const whole = this.dialog.querySelector("[data-whole]");
    if (whole instanceof HTMLAnchorElement) whole.href = address;
    this.#letters = new Letters({ root: this.part, address: () => this.#address, go: (other) => this.#load(other, true) });
    this.#reveal();
    if (!focused) return;
    const title = this.part.querySelector("h2");
    title?.setAttribute("tabindex", "-1");
    title?.focus({ preventScroll: true });
  }

  /** What is new comes into view, or the end of the conversation. */
  #reveal() {
    const { part } = this;
    part.scrollTop = 0;
    const tab = part.querySelector(".room-tabs [aria-current]");
    tab?.closest(".room-ways")?.scrollTo({ left: /** @type {HTMLElement} */ (tab).offsetLeft - 40 });
    const fresh = part.querySelector("#new")?.closest(".letter");
    if (fresh) part.scrollTop = fresh.getBoundingClientRect().top - part.getBoundingClientRect().top - 80;
    else if (part.querySelector("#write")) part.scrollTop = part.scrollHeight;
  }

  /** The site does not answer: say so, with the way to try again. @param {string} address */
  #tell(address) {
    const told = document.createElement("p");
    told.className = "wrong";
    told.setAttribute("role", "alert");
    const again = document.createElement("a");
    again.href = address;
    again.textContent = this.dialog.dataset.again ?? "";
    told.append(`${this.dialog.dataset.offline} `, again);
    this.part.querySelector(":scope > .wrong")?.remove();
    this.part.prepend(told);
  }
}

/** The style of messages, once it is there. @param {string} address @returns {Promise<unknown>} */
function styled(address) {
  return new Promise((done) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = address;
    link.onload = link.onerror = done;
    document.head.append(link);
  });
}

/** @param {string} place @param {string} address "" for none */
function keep(place, address) {
  try {
    if (address) sessionStorage.setItem(place, address);
    else sessionStorage.removeItem(place);
  } catch {
    // A browser without storage opens the list each time.
  }
}

/** @param {string} place */
function kept(place) {
  try {
    return sessionStorage.getItem(place) ?? "";
  } catch {
    return "";
  }
}
