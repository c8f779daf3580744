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
 * @property {string} label
 * @property {Choice[]} choices
 */
/**
 * @typedef {object} Chip Another reading, one touch away: an order, or another unit to choose.
 * @property {string} label
 * @property {string} province
 * @property {string} [order]
 */
/**
 * @typedef {object} Step What a touch led to.
 * @property {string} say key of a sentence
 * @property {Record<string, string>} facts
 * @property {{province: string, order: string}} [set]
 * @property {Chip[]} chips
 */
/**
 * @typedef {object} Prepared The server's word on the orders in preparation.
 * @property {Record<string, string>} given
 * @property {Record<string, string[]>} lines
 * @property {Record<string, number>} waives builds given up, by power
 * @property {string} sheet
 * @property {string} readings
 * @property {{given: number, total: number}} progress
 * @property {Record<string, string>} layers by id
 * @property {string} [address] where a page that carries its orders finds them again
 */
export {};
