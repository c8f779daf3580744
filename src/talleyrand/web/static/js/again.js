const RETRY = 3000;
const LONGEST = 30;
const FIRST_TRY = "X-First-Try";

/** Send a request until the site hears it. Orders that are told to come back do so, with the word of when they were first there.
 * @param {string} url @param {RequestInit} asked @param {number[]} away statuses that say that nobody has heard it
 * @param {(busy: boolean) => void} waiting called before each pause: whether the site is busy, or does not answer
 * @returns {Promise<Response>}
 */
export async function untilHeard(url, asked, away, waiting) {
  const headers = new Headers(asked.headers);
  for (;;) {
    const response = await fetch(url, { ...asked, headers }).catch(() => null);
    const first = response?.headers.get(FIRST_TRY);
    if (response && !first && !away.includes(response.status)) return response;
    if (first) headers.set(FIRST_TRY, first);
    waiting(Boolean(first));
    await new Promise((resolve) => setTimeout(resolve, pause(response)));
  }
}

/** As long as the site says, in milliseconds. @param {Response | null} response */
function pause(response) {
  const seconds = Number(response?.headers.get("Retry-After"));
  return seconds > 0 ? 1000 * Math.min(seconds, LONGEST) : RETRY;
}
