/** The sheet of keys, by its button or by “?” on the map. @param {HTMLElement} frame */
export function openHelp(frame) {
  const sheet = document.getElementById("keys");
  const button = document.getElementById("keys-open");
  if (!window.HTMLDialogElement || !(sheet instanceof HTMLDialogElement) || !button) return;
  button.hidden = false;
  button.addEventListener("click", () => sheet.showModal());
  /** @type {HTMLElement} */ (sheet.querySelector("button")).addEventListener("click", () => sheet.close());
  frame.addEventListener("keydown", (event) => {
    if (event.key !== "?") return;
    event.preventDefault();
    sheet.showModal();
  });
}
