/** @import { Scene } from "./types.js" */
import { LAYERS, Scenes, drawn } from "./layers.js";
import { motions, pressed, replay, run, still } from "./motion.js";
import { Since } from "./since.js";
import { byId, say } from "./text.js";

const LOOK = 1900; // milliseconds for which a phase stands with its orders while the game plays itself
/** Phases further back are told, not shown. */
const MOST_SHOWN = 6;

/** The phases of a game on the page's map, one after the other: a slider, arrows, and what happened in words.
 * The page's own layers stay where they are; the others are laid over them.
 * @param {HTMLElement} frame @param {Set<string>} first the powers whose units go first
 */
export function openHistory(frame, first) {
  const bar = document.getElementById("history");
  if (bar) new History(bar, frame, first);
  else if (navigated()) replay(frame, first);
}

class History {
  /** The number of the wish that counts: a later one overtakes those before it. */
  #wish = 0;
  /** Ends with the next press, or with the last phase. @type {AbortController | null} */
  #playing = null;

  /** @param {HTMLElement} bar @param {HTMLElement} frame @param {Set<string>} first */
  constructor(bar, frame, first) {
    this.bar = bar;
    this.frame = frame;
    this.first = first;
    this.scenes = new Scenes(bar.dataset.scene ?? "");
    this.svg = /** @type {SVGSVGElement} */ (frame.querySelector("svg"));
    this.here = Number(bar.dataset.here);
    this.last = Number(bar.dataset.last);
    this.at = this.here;
    this.range = /** @type {HTMLInputElement} */ (byId("history-range"));
    this.button = /** @type {HTMLButtonElement} */ (byId("history-play"));
    this.speed = /** @type {HTMLSelectElement} */ (byId("history-speed"));
    bar.hidden = this.last < 2;
    this.#listen();
    frame.addEventListener("reshaped", () => {
      this.scenes.clear();
      if (this.at !== this.here) this.scenes.get(this.at).then((scene) => this.#lay(scene));
    });
    this.since = new Since(bar.dataset.board ?? "", this.here, bar.dataset.played === "1");
    if (bar.hidden) return;
    if (location.hash === "#play" && !still()) void this.#play();
    else this.#catchUp();
  }

  #listen() {
    this.range.addEventListener("input", () => this.#go(Number(this.range.value)));
    byId("history-before").addEventListener("click", () => this.#go(this.at - 1));
    byId("history-after").addEventListener("click", () => this.#go(this.at + 1));
    byId("history-here").addEventListener("click", () => this.#go(this.here));
    this.button.addEventListener("click", () => (this.#playing ? this.#pause() : this.#play()));
    document.addEventListener("keydown", (event) => {
      const writing = event.target instanceof Element && event.target.closest("input[type=text], select, textarea");
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (writing || !event.shiftKey || event.ctrlKey || event.metaKey || event.altKey || !step) return;
      event.preventDefault();
      this.#go(this.at + step);
    });
  }

  /** Where somebody wants to be: nothing plays on by itself. @param {number} number */
  #go(number) {
    this.#pause();
    void this.show(number);
  }

  /** Phase after phase, from the first again where the last is shown. */
  async #play() {
    const playing = (this.#playing = new AbortController());
    this.button.textContent = this.button.dataset.pause ?? "";
    let told = this.at < this.last || (await this.show(1));
    while (told && !playing.signal.aborted && this.at < this.last) {
      await new Promise((resolve) => setTimeout(resolve, LOOK / this.#rate));
      if (!playing.signal.aborted) told = await this.show(this.at + 1, playing.signal);
    }
    if (playing === this.#playing) this.#pause();
  }

  #pause() {
    this.#playing?.abort();
    this.#playing = null;
    this.button.textContent = this.button.dataset.play ?? "";
  }

  get #rate() {
    return Number(this.speed.value);
  }

  /** Whether it can be shown. @param {number} number @param {AbortSignal} [stop] of a game that plays itself */
  async show(number, stop) {
    const goal = Math.min(Math.max(number, 1), this.last);
    if (goal === this.at) return true;
    const wish = ++this.#wish;
    const forward = goal === this.at + 1;
    const from = this.at;
    this.#note(goal);
    try {
      if (forward && !still()) await this.#move(from, goal, wish, stop ?? pressed(), stop ? this.#rate : 1);
      if (wish === this.#wish) this.#stand(goal, await this.scenes.get(goal));
      return true;
    } catch {
      byId("history-title").textContent = say("scene_missing");
      return false;
    }
  }

  /** @param {number} number the phase that is shown from now on */
  #note(number) {
    this.at = number;
    this.range.value = `${number}`;
    document.body.classList.toggle("in-past", number !== this.here);
    byId("history-here").hidden = number === this.here;
    /** @type {HTMLButtonElement} */ (byId("history-before")).disabled = number === 1;
    /** @type {HTMLButtonElement} */ (byId("history-after")).disabled = number === this.last;
  }

  /** Lay a phase over the page's own, or take it away. @param {number} number @param {Scene} scene */
  #stand(number, scene) {
    if (number === this.here) this.#clear();
    else this.#lay(scene);
    byId("history-title").textContent = scene.title;
    this.range.setAttribute("aria-valuetext", scene.title);
    this.#tell(number, scene);
  }

  /** @param {Scene} scene @returns {Record<string, Element>} the layers laid, by id */
  #lay(scene) {
    this.#clear();
    /** @type {Record<string, Element>} */
    const laid = {};
    for (const id of LAYERS) {
      const layer = drawn(scene.layers[id]);
      const own = this.svg.querySelector(`#${id}`);
      if (!layer || !own) continue;
      layer.removeAttribute("id");
      layer.classList.add("laid");
      own.after(layer);
      laid[id] = layer;
    }
    this.svg.classList.add("overlaid");
    return laid;
  }

  #clear() {
    for (const layer of this.svg.querySelectorAll(".laid")) layer.remove();
    this.svg.classList.remove("overlaid");
  }

  /** What happened in a phase, beside its picture. @param {number} number @param {Scene} scene */
  #tell(number, scene) {
    const told = byId("history-told");
    told.hidden = number === this.here;
    const link = /** @type {HTMLAnchorElement} */ (byId("history-page"));
    link.href = scene.address;
    byId("history-news").replaceChildren(...listed(scene.news.length ? scene.news : [say("nothing_happened")]));
  }

  /** The units go from one phase to the next.
   * @param {number} from @param {number} to @param {number} wish @param {AbortSignal} stop @param {number} speed
   */
  async #move(from, to, wish, stop, speed = 1) {
    const [before, after] = await Promise.all([this.scenes.get(from), this.scenes.get(to)]);
    if (wish !== this.#wish) return;
    const laid = this.#lay(before);
    const next = drawn(after.layers["layer-units"]);
    if (!next || !laid["layer-units"]) return;
    await run(motions(laid["layer-units"], laid["layer-orders"], next), this.first, stop, 0, speed);
  }

  /** Open on the phase seen last, go on to this one, and to what became of its orders. */
  async #catchUp() {
    const { from, unseen, fresh } = this.since.missed();
    if (unseen.length) this.since.tell((await Promise.all(unseen.map((number) => this.scenes.get(number)))));
    if (still()) return;
    const wish = ++this.#wish;
    const stop = pressed();
    try {
      for (let number = Math.max(from, this.here - MOST_SHOWN); number < this.here; number++) {
        if (stop.aborted || wish !== this.#wish) break;
        await this.#move(number, number + 1, wish, stop);
      }
    } catch {
      // What cannot be fetched is not shown; the page itself stands.
    }
    if (wish === this.#wish) this.#clear();
    if (fresh && !stop.aborted && wish === this.#wish) replay(this.frame, this.first);
  }
}

/** @param {string[]} sentences */
function listed(sentences) {
  return sentences.map((sentence) => {
    const item = document.createElement("li");
    item.textContent = sentence;
    return item;
  });
}

/** Whether one came to the page, and did not load it again or turn back to it. */
function navigated() {
  const [entry] = performance.getEntriesByType("navigation");
  return entry instanceof PerformanceNavigationTiming && entry.type === "navigate";
}
