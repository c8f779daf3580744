const form = /** @type {HTMLFormElement | null} */ (document.getElementById("talk-form"));
const said = document.querySelector(".said-list");

/** Show of the units that could be helped in return those of the bot that is spoken to.
 * @param {HTMLSelectElement} to @param {HTMLSelectElement} offered
 */
function narrow(to, offered) {
  const power = to.selectedOptions[0]?.text ?? "";
  for (const option of offered.options) {
    option.hidden = option.value !== "" && !option.text.endsWith(`(${power})`);
    if (option.hidden && option.selected) offered.value = "";
  }
}

if (form) {
  const [to, offered] = ["to", "offered"].map((name) => /** @type {HTMLSelectElement} */ (form.elements.namedItem(name)));
  to.addEventListener("change", () => narrow(to, offered));
  narrow(to, offered);
}
said?.scrollTo(0, said.scrollHeight);
