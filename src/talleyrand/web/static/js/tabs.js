/** List or sheet: one pane at a time, the choice kept for the next phase. */
export function openTabs() {
  const list = document.querySelector("[role=tablist]");
  if (!(list instanceof HTMLElement)) return;
  const tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[role=tab]")]);
  list.hidden = false;
  for (const pane of panes(tabs)) pane.setAttribute("role", "tabpanel");

  /** @param {HTMLElement} chosen */
  const show = (chosen) => {
    for (const tab of tabs) {
      const selected = tab === chosen;
      tab.setAttribute("aria-selected", `${selected}`);
      tab.tabIndex = selected ? 0 : -1;
      const pane = document.getElementById(tab.getAttribute("aria-controls") || "");
      if (pane) pane.hidden = !selected;
    }
    keep(chosen.id);
  };
  for (const tab of tabs) tab.addEventListener("click", () => show(tab));
  list.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const other = tabs.find((tab) => tab.getAttribute("aria-selected") !== "true");
    if (!other) return;
    event.stopPropagation();
    show(other);
    other.focus();
  });
  show(tabs.find((tab) => tab.id === kept()) || tabs[0]);
}

/** @param {HTMLElement[]} tabs */
function panes(tabs) {
  return /** @type {HTMLElement[]} */ (tabs.map((tab) => document.getElementById(tab.getAttribute("aria-controls") || "")).filter(Boolean));
}

/** @param {string} id */
function keep(id) {
  try {
    sessionStorage.setItem("tab", id);
  } catch (_) {
    // A browser without storage opens the first pane each time.
  }
}

function kept() {
  try {
    return sessionStorage.getItem("tab");
  } catch (_) {
    return null;
  }
}
