/** What a phone at a table keeps until the table has acknowledged it: by game, phase and seat, over reloads of the page. */

const PREFIX = "talleyrand-table ";
const OLDEST = 3 * 24 * 3600 * 1000;

/**
 * @typedef {object} KeptRecord Orders that have not been received.
 * @property {string} table key of the game
 * @property {number} number of the phase
 * @property {string} power
 * @property {string} seat
 * @property {string} title of the phase, to be shown
 * @property {Record<string, unknown>[]} changes of which the table has not heard
 * @property {string[]} lines that the table had before them
 * @property {{action: string, submission: string} | null} wanted the sheet that was to be submitted
 * @property {string} submission under which they are sent after the bell
 * @property {number} written when, by this phone
 * @property {number} [tries] how often they were thought to be for an open phase
 */

/** The records of a table, each with the name under which it is kept, the oldest first. @param {string} table
 * @returns {{name: string, record: KeptRecord}[]}
 */
export function keptRecords(table) {
  const found = [];
  for (const name of keptNames()) {
    const record = read(name);
    if (!record || Date.now() - record.written > OLDEST) forget(name);
    else if (record.table === table) found.push({ name, record });
  }
  return found.sort((one, other) => one.record.written - other.record.written);
}

function keptNames() {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
  } catch (_) {
    return []; // a browser without storage keeps orders as long as its page is open
  }
}

/** @param {string} name @returns {KeptRecord | null} */
function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name) || "null");
  } catch (_) {
    return null;
  }
}

/** @param {string} name @param {KeptRecord} record */
export function keep(name, record) {
  try {
    localStorage.setItem(name, JSON.stringify(record));
  } catch (_) {
    // Full, or not allowed: the page itself still has it.
  }
}

/** @param {string} name */
export function forget(name) {
  try {
    localStorage.removeItem(name);
  } catch (_) {
    // There was nothing.
  }
}

/** A name and a submission that no other page has. */
export function fresh() {
  const random = () => Math.random().toString(36).slice(2, 12);
  return { name: `${PREFIX}${random()}`, submission: `late-${random()}${random()}` };
}

/** What stands in a record, line by line, as it may be shown. @param {KeptRecord} record */
export function keptLines(record) {
  /** @type {string[]} */
  const lines = [];
  for (const change of record.changes) {
    if (typeof change.sheet === "string") lines.splice(0, lines.length, ...change.sheet.split("\n"));
    else for (const words of Object.values(/** @type {Record<string, unknown>} */ (change.orders || change.lines || {}))) lines.push(...[words].map(String));
  }
  return [...record.lines.filter((line) => !lines.includes(line)), ...lines].filter(Boolean);
}
