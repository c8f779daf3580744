const RETRY = 3;
const LONGEST = 70;
const TOLD_EVERY = 5;
const FIRST_TRY = "X-First-Try";

/** Send a request until the site hears it. Orders that are told to come back do so, with the word of when they were first there.
 * @param {string} url @param {RequestInit} asked @param {number[]} away statuses that say that nobody has heard it
 * @param {(seconds: number) => void} waiting called before and during each pause: in how many seconds the busy site is
 *   asked again, 0 where it does not answer
 * @returns {Promise<Response>}
 */
export async function untilHeard(url, asked, away, waiting) {
  const headers = new Headers(asked.headers);
  for (;;) {
    const response = await fetch(url, { ...asked, headers }).catch(() => null);
    const first = response?.headers.get(FIRST_TRY);
    if (response && !first && !away.includes(response.status)) return response;
    if (first) headers.set(FIRST_TRY, first);
    for (let left = pause(response); left > 0; left -= TOLD_EVERY) {
      waiting(first ? left : 0);
      await new Promise((resolve) => setTimeout(resolve, 1000 * Math.min(left, TOLD_EVERY)));
    }
  }
}

/** As long as the site says, in seconds. @param {Response | null} response */
function pause(response) {
  const seconds = Number(response?.headers.get("Retry-After"));
  return seconds > 0 ? Math.min(seconds, LONGEST) : RETRY;
}
