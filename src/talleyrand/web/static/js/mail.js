/** Copies an address at a touch. */
const said = document.getElementById("copied");

/** @param {HTMLButtonElement} button */
function copying(button) {
  const field = document.getElementById(button.dataset.copy ?? "");
  if (!(field instanceof HTMLInputElement)) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    const copied = await navigator.clipboard?.writeText(field.value).then(() => true, () => false);
    if (!copied && !document.execCommand("copy")) return;
    const name = field.labels?.[0]?.textContent ?? "";
    if (said) said.textContent = `${button.dataset.copied}: ${name}`;
    button.classList.add("copied");
    setTimeout(() => button.classList.remove("copied"), 1500);
  });
}

for (const button of document.querySelectorAll("button[data-copy]")) if (button instanceof HTMLButtonElement) copying(button);
