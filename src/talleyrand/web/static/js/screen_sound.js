/** Sounds of the clock, made by the browser: two short ones when writing begins, a long one when time is up. */

/** @type {AudioContext | null} */
let room = null;
let on = false;

export function isOn() {
  return on;
}

/** Browsers let a page be heard only once somebody has touched it. */
export async function toggle() {
  room = room || new (window.AudioContext || /** @type {any} */ (window).webkitAudioContext)();
  on = !on;
  if (!on) return;
  await Promise.race([room.resume(), new Promise((done) => setTimeout(done, 500))]);
  warn();
}

export function warn() {
  tone(880, 0, 0.18);
  tone(880, 0.3, 0.18);
}

export function end() {
  tone(660, 0, 0.25);
  tone(660, 0.35, 0.25);
  tone(440, 0.7, 0.9);
}

/**
 * @param {number} pitch
 * @param {number} after
 * @param {number} lasts
 */
function tone(pitch, after, lasts) {
  if (!room || !on) return;
  const voice = room.createOscillator();
  const volume = room.createGain();
  const start = room.currentTime + after;
  voice.frequency.value = pitch;
  volume.gain.setValueAtTime(0.0001, start);
  volume.gain.exponentialRampToValueAtTime(0.5, start + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + lasts);
  voice.connect(volume).connect(room.destination);
  voice.start(start);
  voice.stop(start + lasts + 0.05);
}
