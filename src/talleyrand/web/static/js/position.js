import { moveByKeys, openMap } from "./map.js";
import { byId } from "./text.js";
import { replaceLayer } from "./layers.js";

const editor = byId("editor");
const { frame, viewport, marks } = openMap();
moveByKeys(frame, viewport);
const area = /** @type {HTMLTextAreaElement} */ (byId("text"));
const undo = /** @type {HTMLButtonElement} */ (byId("undo-edit"));
const token = /** @type {HTMLInputElement} */ (document.querySelector("[name=csrfmiddlewaretoken]")).value;
/** @type {string[]} */
const before = [];
let timer = 0;
let turn = Promise.resolve();

byId("tools").hidden = false;
frame.addEventListener("reshaped", () => look(null));

/** Ask the server to edit the text and to draw it, one edit after the other.
 * @param {Record<string, string> | null} edit
 */
function look(edit) {
  turn = turn.then(() => ask(edit)).catch(() => {});
}

/** @param {Record<string, string> | null} edit */
async function ask(edit) {
  const text = area.value;
  const response = await fetch(editor.dataset.look ?? "", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": token },
    body: JSON.stringify({ text, edit, variant: editor.dataset.variant }),
  });
  const answer = await response.json();
  byId("status").textContent = answer.message ?? "";
  byId("status").classList.toggle("wrong", !response.ok);
  if (!response.ok) return;
  if (edit) remember(text);
  area.value = answer.text;
  for (const [id, layer] of Object.entries(answer.layers)) replaceLayer(id, layer);
}

/** @param {string} text */
function remember(text) {
  before.push(text);
  undo.disabled = false;
}

/** @param {string} id */
const chosen = (id) => /** @type {HTMLSelectElement | HTMLInputElement} */ (byId(id)).value;

frame.addEventListener("click", (event) => {
  if (viewport.dragged) return;
  const place = marks.provinceAt(event);
  const tool = /** @type {HTMLInputElement | null} */ (document.querySelector("[name=tool]:checked"));
  if (!place || !tool) return;
  const power = chosen("tool-power");
  if (tool.value === "unit") look({ do: "unit", power, kind: tool.dataset.kind ?? "", place });
  else if (tool.value === "centre") look({ do: "centre", power, place });
  else if (tool.value === "free") look({ do: "centre", power: "", place });
  else look({ do: "erase", place });
});
for (const id of ["tool-season", "tool-year"]) {
  byId(id).addEventListener("change", () => {
    const season = chosen("tool-season");
    look({ do: "phase", phase: `${season[0]}${chosen("tool-year")}${season[1]}` });
  });
}
byId("tool-rulebook").addEventListener("change", () => look({ do: "rulebook", rulebook: chosen("tool-rulebook") }));
byId("clear-board").addEventListener("click", () => look({ do: "clear" }));
undo.addEventListener("click", () => {
  area.value = before.pop() ?? area.value;
  undo.disabled = !before.length;
  look(null);
});
area.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(() => look(null), 700);
});
