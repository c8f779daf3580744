/** The look of boards: theme and palette, chosen in a small menu and kept in a cookie, so that the server
 * writes the next page in it and nothing flashes.
 */
const YEAR = 365 * 24 * 60 * 60;

export function openLook() {
  const menu = document.getElementById("look");
  if (!(menu instanceof HTMLDetailsElement)) return;
  menu.hidden = false;
  printOnPaper();
  menu.addEventListener("change", (event) => {
    const input = event.target;
    if (!(input instanceof HTMLInputElement)) return;
    const value = input.type === "checkbox" && !input.checked ? "off" : input.value;
    keepChoice(input.name, value);
    if (input.name !== "shape") document.documentElement.dataset[input.name] = value;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    event.stopPropagation();
    menu.open = false;
    /** @type {HTMLElement} */ (menu.querySelector("summary")).focus();
  });
  document.addEventListener("pointerdown", (event) => {
    if (event.target instanceof Node && !menu.contains(event.target)) menu.open = false;
  });
}

/** Paper is printed as paper. */
function printOnPaper() {
  const page = document.documentElement;
  let kept = page.dataset.theme;
  window.addEventListener("beforeprint", () => {
    kept = page.dataset.theme;
    page.dataset.theme = "paper";
  });
  window.addEventListener("afterprint", () => (page.dataset.theme = kept));
}

/** For the next page too. @param {string} what theme, palette, patterns, shape or window @param {string} name */
export function keepChoice(what, name) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${what}=${name}; Path=/; Max-Age=${YEAR}; SameSite=Lax${secure}`;
}
