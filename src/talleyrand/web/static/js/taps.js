/** @import { Chip, Choice, Step, Subject } from "./types.js" */

/** The province of a location: `STP/SC` → `STP`.
 * @param {string} location
 */
const provinceOf = (location) => location.split("/")[0];

const ARRIVALS = ["move", "retreat", "via"];
const HELP = ["guard", "support", "convoy"];

/**
 * Turns touches on the map into orders: own unit, then where it goes or whom it helps, then where that one goes.
 * It only chooses among the orders the server lists.
 */
export class Taps {
  /** @type {Subject | null} */
  chosen = null;
  /** The province of the unit that may be helped, "" before the third touch is possible. */
  helped = "";

  /**
   * @param {Map<string, Subject>} subjects by province
   * @param {(province: string) => string} given the order a province's unit has, or ""
   * @param {(province: string) => string} name
   */
  constructor(subjects, given, name) {
    this.subjects = subjects;
    this.given = given;
    this.name = name;
  }

  /** Forget what was begun. */
  reset() {
    this.chosen = null;
    this.helped = "";
  }

  /** Where the next touch means something: places to go, and units to help.
   * @returns {{ target: Set<string>, help: Set<string> }}
   */
  targets() {
    const own = this.chosen?.province;
    /** @param {Choice[]} choices @param {(choice: Choice) => string} place */
    const places = (choices, place) =>
      new Set(choices.map((choice) => provinceOf(place(choice))).filter((one) => one && one !== own));
    if (this.helped) {
      const helps = this.#helps();
      return { target: places(helps, (choice) => choice.to), help: new Set([this.helped]) };
    }
    const choices = this.chosen?.choices ?? [];
    const target = places(ranked(choices, ARRIVALS), (choice) => choice.at);
    const help = places(ranked(choices, HELP), (choice) => choice.at);
    return { target, help: new Set([...help].filter((place) => !target.has(place))) };
  }

  /** One touch.
   * @param {string} province
   * @returns {Step}
   */
  tap(province) {
    if (!this.chosen) return this.#first(province);
    return this.helped ? this.#third(this.chosen, province) : this.#second(this.chosen, province);
  }

  /** @param {string} province @returns {Step} */
  #first(province) {
    const subject = this.subjects.get(province);
    if (!subject) return this.#step("nothing_here", { place: this.name(province) });
    if (subject.choices.every((choice) => choice.kind === "build" || choice.kind === "disband")) {
      return this.#onlyOne(subject);
    }
    this.chosen = subject;
    this.helped = "";
    return this.#step(subject.choices.some((choice) => choice.kind === "retreat") ? "chosen_retreat" : "chosen", {
      unit: subject.label,
    });
  }

  /** A centre that builds or a unit that may be removed: one touch, a second one takes it back.
   * @param {Subject} subject @returns {Step}
   */
  #onlyOne(subject) {
    if (this.given(subject.province)) {
      return { ...this.#step("cleared", { unit: subject.label }), set: { province: subject.province, order: "" } };
    }
    if (subject.choices.length === 1) return this.#set(subject, subject.choices[0], []);
    return { ...this.#step("which_unit", { place: subject.label }), chips: chipsOf(subject, subject.choices) };
  }

  /** @param {Subject} subject @param {string} province @returns {Step} */
  #second(subject, province) {
    if (province === subject.province) return this.#stay(subject);
    const here = subject.choices.filter((choice) => provinceOf(choice.at) === province);
    if (!here.length) return this.#elsewhere(subject, province);
    const arrivals = ranked(here, ARRIVALS);
    const helps = here.filter((choice) => HELP.includes(choice.kind));
    if (!helps.length) return this.#arrive(subject, arrivals, province);
    this.helped = province;
    const guard = helps.filter((choice) => choice.kind === "guard");
    if (!arrivals.length) {
      const facts = { unit: subject.label, place: this.name(province) };
      return { ...this.#step("helped", facts), chips: chipsOf(subject, guard) };
    }
    const step = this.#coasts(subject, arrivals, province) ?? this.#order(subject, arrivals[0], arrivals.slice(1));
    return { ...step, say: step.set ? "set_or_help" : step.say, chips: [...step.chips, ...chipsOf(subject, guard)] };
  }

  /** The unit itself again: it holds, or leaves the board instead of retreating.
   * @param {Subject} subject @returns {Step}
   */
  #stay(subject) {
    const choice = subject.choices.find((one) => one.kind === "hold" || one.kind === "disband");
    if (!choice) {
      this.reset();
      return this.#step("let_go", { unit: subject.label });
    }
    return this.#set(subject, choice, []);
  }

  /** @param {Subject} subject @param {string} province @returns {Step} */
  #elsewhere(subject, province) {
    if (!this.subjects.has(province)) {
      return this.#step("out_of_reach", { unit: subject.label, place: this.name(province) });
    }
    this.reset();
    return this.#first(province);
  }

  /** @param {Subject} subject @param {Choice[]} arrivals @param {string} province @returns {Step} */
  #arrive(subject, arrivals, province) {
    const undecided = this.#coasts(subject, arrivals, province);
    if (undecided) {
      this.reset();
      return undecided;
    }
    return this.#set(subject, arrivals[0], arrivals.slice(1));
  }

  /** The question which coast, where one way leads to two.
   * @param {Subject} subject @param {Choice[]} arrivals @param {string} province @returns {Step | null}
   */
  #coasts(subject, arrivals, province) {
    const same = arrivals.filter((choice) => choice.kind === arrivals[0].kind);
    if (same.length < 2) return null;
    return { ...this.#step("which_coast", { place: this.name(province) }), chips: chipsOf(subject, arrivals) };
  }

  /** @param {Subject} subject @param {string} province @returns {Step} */
  #third(subject, province) {
    const helps = this.#helps().filter((choice) => provinceOf(choice.to || choice.at) === province);
    const fitting = province === this.helped ? helps.filter((choice) => choice.kind === "guard") : helps;
    if (!fitting.length) {
      this.reset();
      return this.#first(province);
    }
    const [best, ...others] = fitting.sort((one, other) => worth(other) - worth(one));
    const own = this.subjects.get(province);
    if (province !== this.helped && own?.power === subject.power && !this.given(province)) {
      this.reset();
      return { ...this.#first(province), chips: chipsOf(subject, [best]) };
    }
    const chips = this.#companion(best);
    const step = this.#set(subject, best, others);
    return { ...step, chips: [...step.chips, ...chips] };
  }

  /** The order of the helped unit itself, where it is one's own and has none yet.
   * @param {Choice} help @returns {Chip[]}
   */
  #companion(help) {
    const other = this.subjects.get(this.helped);
    if (!other || this.given(other.province)) return [];
    const kinds = help.kind === "guard" ? ["hold"] : help.kind === "convoy" ? ["via", "move"] : ["move", "via"];
    return chipsOf(other, ranked(other.choices.filter((choice) => choice.at === help.to), kinds).slice(0, 1));
  }

  #helps() {
    const choices = this.chosen?.choices ?? [];
    return choices.filter((choice) => HELP.includes(choice.kind) && provinceOf(choice.at) === this.helped);
  }

  /** Give the order and begin anew.
   * @param {Subject} subject @param {Choice} choice @param {Choice[]} others @returns {Step}
   */
  #set(subject, choice, others) {
    this.reset();
    return this.#order(subject, choice, others);
  }

  /** @param {Subject} subject @param {Choice} choice @param {Choice[]} others @returns {Step} */
  #order(subject, choice, others) {
    const step = this.#step("set", { order: choice.label });
    return { ...step, set: { province: subject.province, order: choice.order }, chips: chipsOf(subject, others) };
  }

  /** @param {string} key @param {Record<string, string>} facts @returns {Step} */
  #step(key, facts) {
    return { say: key, facts, chips: [] };
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
  return kinds.flatMap((kind) => choices.filter((choice) => choice.kind === kind));
}

/** @param {Subject} subject @param {Choice[]} choices @returns {Chip[]} */
function chipsOf(subject, choices) {
  return choices.map((choice) => ({ label: choice.label, province: subject.province, order: choice.order }));
}
