/** @import { Act, Chip, Choice, Mode, Step, Subject } from "./types.js" */
import { flat } from "./flat.js";
import { provinceOf } from "./places.js";

const ARRIVALS = ["move", "retreat", "via"];
const HELP = ["guard", "support", "convoy"];
/** @type {Record<Mode, string[]>} */
const KINDS = { support: ["guard", "support"], convoy: ["convoy"], via: ["via"] };

/**
 * Turns touches on the map into orders: own unit, then where it goes or whom it helps, then where that one goes.
 * It only chooses among the orders the server lists.
 */
export class Taps {
  /**
   * @param {Map<string, Subject>} subjects by province
   * @param {(province: string) => string} given the order a province's unit has, or ""
   * @param {(location: string) => string} name
   * @param {(subject: Subject, province: string) => string} why key of the reason why a unit cannot go there
   */
  constructor(subjects, given, name, why) {
    /** @type {Subject | null} */
    this.chosen = null;
    /** The province of the unit that may be helped, "" before the third touch is possible. */
    this.helped = "";
    /** @type {Mode | null} */
    this.mode = null;
    this.subjects = subjects;
    this.given = given;
    this.name = name;
    this.why = why;
  }

  /** Forget what was begun. */
  reset() {
    this.chosen = null;
    this.helped = "";
    this.mode = null;
  }

  /** One step back: the unit that was to be helped, the mode, the unit itself. @returns {Step} */
  back() {
    const unit = this.chosen ? this.chosen.label : "";
    if (this.helped) this.helped = "";
    else if (this.mode) this.mode = null;
    else this.reset();
    return this.step(this.chosen ? "chosen" : "let_go", { unit });
  }

  /** What may be asked for by its name. @returns {Act[]} */
  acts() {
    return this.helped ? [] : this.possible();
  }

  /** @returns {Act[]} */
  possible() {
    const kinds = new Set((this.chosen ? this.chosen.choices : []).map((choice) => choice.kind));
    const modes = /** @type {Mode[]} */ (Object.keys(KINDS)).filter((mode) => KINDS[mode].some((kind) => kinds.has(kind)));
    const still = /** @type {const} */ (["hold", "disband"]).filter((kind) => kinds.has(kind));
    return [...still, ...modes];
  }

  /** Where the next touch means something: locations to go to, and provinces of units to help.
   * @returns {{ target: Set<string>, help: Set<string> }}
   */
  targets() {
    const own = this.chosen && this.chosen.province;
    /** @param {Choice[]} choices @param {(choice: Choice) => string} place */
    const places = (choices, place) => new Set(choices.map(place).filter((one) => one && provinceOf(one) !== own));
    if (this.helped) {
      return { target: places(this.helps(), (choice) => choice.to), help: new Set([this.helped]) };
    }
    const choices = this.open();
    const target = places(ranked(choices, ARRIVALS), (choice) => choice.at);
    const reached = new Set([...target].map(provinceOf));
    const help = places(ranked(choices, HELP), (choice) => provinceOf(choice.at));
    return { target, help: new Set([...help].filter((place) => !reached.has(place))) };
  }

  /** One touch.
   * @param {string} province
   * @param {(locations: string[]) => string} [nearest] the location that the finger is nearest to
   * @returns {Step}
   */
  tap(province, nearest = (locations) => locations[0]) {
    if (!this.chosen) return this.first(province, nearest);
    return this.helped ? this.third(this.chosen, province, nearest) : this.second(this.chosen, province, nearest);
  }

  /** What was asked for by its name. @param {Act} act @returns {Step} */
  ask(act) {
    const subject = this.chosen;
    if (!subject) return this.step("start", {});
    const facts = { unit: subject.label };
    const guard = act === "support" ? ranked(this.helps(), ["guard"])[0] : null;
    if (guard) return this.set(subject, guard, []);
    if (!this.possible().includes(act)) return { ...this.step(`no_${act}`, facts), wrong: subject.province };
    if (act === "hold" || act === "disband") {
      return this.set(subject, ranked(subject.choices, [act])[0], []);
    }
    this.mode = this.mode === act ? null : act;
    return this.step(this.mode ? `asked_${act}` : "chosen", facts);
  }

  /** @param {string} province @param {(locations: string[]) => string} nearest @returns {Step} */
  first(province, nearest) {
    const subject = this.subjects.get(province);
    if (!subject) return { ...this.step("nothing_here", { place: this.name(province) }), wrong: province };
    if (subject.choices.every((choice) => choice.kind === "build" || choice.kind === "disband")) {
      return this.onlyOne(subject, nearest);
    }
    this.chosen = subject;
    this.helped = "";
    this.mode = null;
    return this.step(subject.choices.some((choice) => choice.kind === "retreat") ? "chosen_retreat" : "chosen", {
      unit: subject.label,
    });
  }

  /** A centre that builds or a unit that may be removed: one touch, a second one takes it back.
   * @param {Subject} subject @param {(locations: string[]) => string} nearest @returns {Step}
   */
  onlyOne(subject, nearest) {
    if (this.given(subject.province)) {
      const set = { province: subject.province, order: "", label: "" };
      return { ...this.step("cleared", { unit: subject.label }), set };
    }
    const kinds = new Set(subject.choices.map((choice) => choice.order[0]));
    if (kinds.size === 1) {
      const best = this.nearest(subject.choices, nearest);
      return this.set(subject, best, this.except(subject.choices, best));
    }
    const chips = this.chips(subject, subject.choices);
    return { ...this.step("which_unit", { place: subject.label }), chips };
  }

  /** @param {Subject} subject @param {string} province @param {(locations: string[]) => string} nearest @returns {Step} */
  second(subject, province, nearest) {
    if (province === subject.province) {
      this.reset();
      return this.step("let_go", { unit: subject.label });
    }
    const here = this.open().filter((choice) => provinceOf(choice.at) === province);
    if (!here.length) return this.elsewhere(subject, province, nearest);
    const arrivals = ranked(here, ARRIVALS);
    const helps = here.filter((choice) => HELP.includes(choice.kind));
    const best = arrivals.length ? this.nearest(arrivals, nearest) : null;
    if (best && !helps.length) return this.set(subject, best, this.except(arrivals, best));
    this.helped = province;
    const guard = this.chips(subject, ranked(helps, ["guard"]));
    if (!best) {
      const facts = { unit: subject.label, place: this.name(province) };
      return { ...this.step("helped", facts), chips: guard };
    }
    const step = this.order(subject, best, this.except(arrivals, best));
    return { ...step, say: "set_or_help", chips: [...step.chips, ...guard] };
  }

  /** @param {Subject} subject @param {string} province @param {(locations: string[]) => string} nearest @returns {Step} */
  elsewhere(subject, province, nearest) {
    if (!this.subjects.has(province)) {
      const facts = { unit: subject.label, place: this.name(province) };
      return { ...this.step(this.why(subject, province), facts), wrong: province };
    }
    this.reset();
    return this.first(province, nearest);
  }

  /** @param {Subject} subject @param {string} province @param {(locations: string[]) => string} nearest @returns {Step} */
  third(subject, province, nearest) {
    const helps = this.helps().filter((choice) => provinceOf(choice.to || choice.at) === province);
    const fitting = province === this.helped ? ranked(helps, ["guard"]) : helps;
    if (!fitting.length) return this.notHelped(subject, province, nearest);
    const [best, ...others] = fitting.sort((one, other) => worth(other) - worth(one));
    const own = this.subjects.get(province);
    if (province !== this.helped && own && own.power === subject.power && !this.given(province) && !this.mode) {
      this.reset();
      return { ...this.first(province, nearest), chips: this.chips(subject, [best]) };
    }
    const companion = this.companion(best);
    const step = this.set(subject, best, others);
    return { ...step, chips: [...companion, ...step.chips] };
  }

  /** @param {Subject} subject @param {string} province @param {(locations: string[]) => string} nearest @returns {Step} */
  notHelped(subject, province, nearest) {
    const again = this.subjects.has(province) || this.given(subject.province);
    if (!again) {
      const facts = { unit: subject.label, place: this.name(province) };
      return { ...this.step("no_help_there", facts), wrong: province };
    }
    this.reset();
    return this.first(province, nearest);
  }

  /** The order of the helped unit itself, where it is one's own and has none yet.
   * @param {Choice} help @returns {Chip[]}
   */
  companion(help) {
    const other = this.subjects.get(this.helped);
    if (!other || this.given(other.province)) return [];
    const kinds = help.kind === "guard" ? ["hold"] : help.kind === "convoy" ? ["via", "move"] : ["move", "via"];
    return this.chips(other, ranked(other.choices.filter((choice) => choice.at === help.to), kinds).slice(0, 1));
  }

  /** The choices that the mode leaves open. */
  open() {
    const choices = this.chosen ? this.chosen.choices : [];
    return this.mode ? ranked(choices, KINDS[this.mode]) : choices;
  }

  helps() {
    const open = this.helped ? this.open() : [];
    return open.filter((choice) => HELP.includes(choice.kind) && provinceOf(choice.at) === this.helped);
  }

  /** Among choices of the first kind, the one whose coast the finger is nearest to.
   * @param {Choice[]} choices @param {(locations: string[]) => string} nearest
   */
  nearest(choices, nearest) {
    const same = choices.filter((choice) => choice.kind === choices[0].kind);
    const place = nearest(same.map((choice) => choice.at));
    return same.find((choice) => choice.at === place) || same[0];
  }

  /** @param {Choice[]} choices @param {Choice} chosen */
  except(choices, chosen) {
    return choices.filter((choice) => choice !== chosen);
  }

  /** Give the order and begin anew.
   * @param {Subject} subject @param {Choice} choice @param {Choice[]} others @returns {Step}
   */
  set(subject, choice, others) {
    this.reset();
    return this.order(subject, choice, others);
  }

  /** @param {Subject} subject @param {Choice} choice @param {Choice[]} others @returns {Step} */
  order(subject, choice, others) {
    const set = { province: subject.province, order: choice.order, label: choice.label };
    return { ...this.step("set", { order: choice.label }), set, chips: this.chips(subject, others) };
  }

  /** @param {string} key @param {Record<string, string>} facts @returns {Step} */
  step(key, facts) {
    return { say: key, facts, chips: [] };
  }

  /** @param {Subject} subject @param {Choice[]} choices @returns {Chip[]} */
  chips(subject, choices) {
    return choices.map(({ label, order }) => ({ label, province: subject.province, order }));
  }
}

/** Convoys that an army needs come before supports, supports before other convoys.
 * @param {Choice} choice
 */
function worth(choice) {
  if (choice.kind === "convoy") return choice.needed ? 3 : 0;
  return choice.kind === "support" ? 2 : 1;
}

/** The choices of some kinds, in the order of the kinds.
 * @param {Choice[]} choices @param {string[]} kinds
 */
function ranked(choices, kinds) {
  return flat(kinds.map((kind) => choices.filter((choice) => choice.kind === kind)));
}
