const FIRST = 1;
const LONGEST_RETRY = 20;
const LONGEST = 70;
const TOLD_EVERY = 5;
const PATIENCE = 30000;
const FIRST_TRY = "X-First-Try";

/** Send a request until the site hears it, with growing pauses, and at once when the network is back or the page is seen
 * again. Orders that are told to come back do so, with the word of when they were first there.
 * @param {string} url @param {RequestInit} asked @param {number[]} away statuses that say that nobody has heard it
 * @param {(seconds: number) => void} waiting called before and during each pause: in how many seconds the busy site is
 *   asked again, 0 where it does not answer
 * @returns {Promise<Response>}
 */
export async function untilHeard(url, asked, away, waiting) {
  const headers = new Headers(asked.headers);
  for (let tries = 0; ; tries += 1) {
    // A network that drops everybody may leave a request without any answer: the next one asks the same again.
    const silence = /** @type {Promise<null>} */ (new Promise((resolve) => setTimeout(resolve, PATIENCE * (tries + 1), null)));
    const response = await Promise.race([fetch(url, { ...asked, headers }).catch(() => null), silence]);
    const first = response && response.headers.get(FIRST_TRY);
    if (response && !first && !away.includes(response.status)) return response;
    if (first) headers.set(FIRST_TRY, first);
    for (let left = pause(response, tries); left > 0; left -= TOLD_EVERY) {
      waiting(first ? left : 0);
      if (await rested(Math.min(left, TOLD_EVERY), !first)) break;
    }
  }
}

/** As long as the site says, in seconds; longer each time where it says nothing. @param {Response | null} response @param {number} tries */
function pause(response, tries) {
  const seconds = Number(response && response.headers.get("Retry-After"));
  return seconds > 0 ? Math.min(seconds, LONGEST) : Math.min(FIRST * 2 ** tries, LONGEST_RETRY) * (0.75 + Math.random() / 2);
}

/** Wait so many seconds; true where the network, or the reader, came back before. @param {number} seconds @param {boolean} wakes */
function rested(seconds, wakes) {
  return new Promise((resolve) => {
    const done = (/** @type {boolean} */ woken) => {
      clearTimeout(timer);
      removeEventListener("online", back);
      document.removeEventListener("visibilitychange", back);
      resolve(woken);
    };
    const back = () => document.hidden || done(true);
    const timer = setTimeout(done, 1000 * seconds, false);
    if (!wakes) return;
    addEventListener("online", back);
    document.addEventListener("visibilitychange", back);
  });
}
