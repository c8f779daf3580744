/** The room's screen of a table: the map beside what changes, and the reading, whose pages a referee turns. */
import { replaceLayer, replaceMap } from "./layers.js";
import { keepChoice } from "./look.js";
import "./screen.js";
import "./table_clock.js";
import { byId } from "./text.js";
import { openReasons } from "./why.js";

const stage = byId("stage");
const form = /** @type {HTMLFormElement} */ (byId("turn"));
const area = /** @type {HTMLElement} */ (document.querySelector(".room-map"));
const svg = document.querySelector("#viewport svg");

/** Draw what the part of the page tells: what is read, or the position. */
function lay() {
  document.body.classList.remove("unfolding");
  const told = JSON.parse(stage.querySelector("#layers")?.textContent ?? "{}");
  for (const [id, layer] of Object.entries(told)) replaceLayer(id, layer);
  openReasons(stage);
}

/** The shape of the map follows that of its place on the wall. */
let tall = isTall();

function isTall() {
  return area.clientWidth * 11 < area.clientHeight * 10;
}

async function fit() {
  const before = tall;
  tall = isTall();
  keepChoice("window", tall ? "tall" : "wide");
  const [, , width, height] = (svg?.getAttribute("viewBox") ?? "").split(" ").map(Number);
  if (!svg?.hasAttribute("data-shapes") || (before === tall && width < height === tall)) return;
  const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  if (answer?.ok) replaceMap(svg, await answer.text());
}

/** @param {SubmitEvent} event */
async function turn(event) {
  event.preventDefault();
  const button = /** @type {HTMLButtonElement} */ (event.submitter);
  const body = new FormData(form);
  if (button.name) body.append(button.name, button.value);
  const headers = { "X-Talleyrand-Part": "screen" };
  await fetch(button.formAction, { method: "POST", body, headers, redirect: "manual" }).catch(() => null);
  document.dispatchEvent(new Event("talleyrand:turned"));
}

form.addEventListener("submit", (event) => void turn(event));
area.addEventListener("click", () => {
  const next = stage.querySelector('[data-turn="after"]');
  if (next instanceof HTMLElement) next.click();
});
document.addEventListener("talleyrand:shown", lay);
new ResizeObserver(() => void fit()).observe(area);
