/** Copies an address at a touch, or hands it to what a phone shares by. */

/** @param {string | undefined} id */
function field(id) {
  const found = document.getElementById(id ?? "");
  return found instanceof HTMLInputElement || found instanceof HTMLTextAreaElement ? found : null;
}

/** @param {HTMLButtonElement} button */
function copying(button) {
  const from = field(button.dataset.copy);
  if (!from) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    from.select();
    const copied = await navigator.clipboard?.writeText(from.value).then(() => true, () => false);
    if (!copied && !document.execCommand("copy")) return;
    const beside = button.parentElement?.querySelector("[role=status]");
    const said = beside ?? document.getElementById("copied");
    const name = beside ? "" : from.labels?.[0]?.textContent ?? "";
    if (said) said.textContent = [button.dataset.copied, name].filter(Boolean).join(": ");
    button.classList.add("copied");
    setTimeout(() => button.classList.remove("copied"), 1500);
  });
}

/** @param {HTMLButtonElement} button */
function sharing(button) {
  const from = field(button.dataset.share);
  if (!from || !navigator.share) return;
  button.hidden = false;
  // Whoever closes the choice has not shared, which is no fault.
  button.addEventListener("click", () => void navigator.share({ title: button.dataset.title, url: from.value }).catch(() => {}));
}

for (const button of document.querySelectorAll("button")) {
  if (button.dataset.copy) copying(button);
  if (button.dataset.share) sharing(button);
}
