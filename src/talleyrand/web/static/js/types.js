/**
 * @typedef {object} Choice One legal order, as the server lists it.
 * @property {string} order normal form
 * @property {string} kind hold, move, via, guard, support, convoy, retreat, disband or build
 * @property {string} at the location named after the unit
 * @property {string} to the location named next
 * @property {string} label
 * @property {boolean} needed whether the army of a convoy has no way by land
 */
/**
 * @typedef {object} Subject What is ordered: a unit, or a centre that may build.
 * @property {string} power
 * @property {string} province
 * @property {string} unit in normal form, "" for a centre
 * @property {string} label
 * @property {Choice[]} choices
 */
/**
 * @typedef {object} Chip Another reading, one touch away.
 * @property {string} label the order in full words
 * @property {string} province
 * @property {string} order
 */
/** @typedef {"support" | "convoy" | "via"} Mode What the next touch is for, where the player said so first. */
/** @typedef {"hold" | "disband" | Mode} Act What is asked for by a button beside the map or by a letter. */
/**
 * @typedef {object} Step What a touch led to.
 * @property {string} say key of a sentence
 * @property {Record<string, string>} facts
 * @property {{province: string, order: string, label: string}} [set]
 * @property {Chip[]} chips
 * @property {string} [wrong] the province of a touch that means nothing
 */
/**
 * @typedef {object} Prepared The server's word on the orders in preparation.
 * @property {Record<string, string>} given
 * @property {Record<string, string[]>} lines
 * @property {Record<string, number>} waives builds given up, by power
 * @property {Record<string, string[]>} [leaflets] the answers of each form, blank by blank
 * @property {string} [outlook] what the orders lead to
 * @property {string} sheet
 * @property {string} readings
 * @property {{given: number, total: number}} progress
 * @property {string} refused how many lines are refused, in words; "" where none is
 * @property {Record<string, string>} refusals by province, the lines of its unit that are refused, and why
 * @property {Record<string, string>} layers by id
 * @property {string} [address] where a page that carries its orders finds them again
 */
/**
 * @typedef {object} HandedIn The server's word on a sheet of a game on line.
 * @property {string} message
 * @property {string} [short] the same where there is little room
 * @property {string} [refused] how many lines of the sheet that counts are refused, in words
 * @property {string} [submission] what the next sheet is sent under; without one nothing was taken
 * @property {string} [standing] how far the sheet is, as the page shows it
 * @property {{code: string, sign: string, words: string}} [state]
 * @property {string} [outlook] what the orders in preparation lead to
 * @property {boolean} current whether the sheet that counts is the one of the page
 * @property {boolean} final
 */
/**
 * @typedef {object} Scene A phase as the history shows it.
 * @property {number} number
 * @property {string} title
 * @property {string} address of its own page
 * @property {string[]} news what happened in it, in sentences
 * @property {Record<string, string>} layers by id
 */
/** @typedef {Record<string, number>} Versions What is watched, with the number each is at. */
/** @typedef {"live" | "polling" | "waiting" | "offline" | "stale"} Connection How a page hears of changes. */
/**
 * @typedef {object} Wish What a tab wants to hear.
 * @property {string} tab
 * @property {string[]} words signed by the server
 * @property {Versions} known
 * @property {number} at when it last said so
 */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */
export {};
