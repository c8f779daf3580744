/** A picture of the phase goes to another application of the device, with its file; where none takes it, it is downloaded. */
const TRIES = 20;
const PAUSE = 2; // seconds

/** Those that were made for this page, by their addresses: a second touch shares at once.
 * @type {Map<string, File>}
 */
const made = new Map();

/** @param {HTMLAnchorElement} link */
export async function share(link) {
  const group = /** @type {HTMLElement} */ (link.closest(".share-phase"));
  const told = /** @type {HTMLElement} */ (group.querySelector("[role=status]"));
  told.textContent = group.dataset.preparing ?? "";
  const file = made.get(link.href) ?? (await fetched(link.href));
  told.textContent = "";
  if (!file || !navigator.canShare({ files: [file] })) return location.assign(link.href);
  made.set(link.href, file);
  try {
    await navigator.share({ files: [file], title: document.title });
  } catch (problem) {
    // It took so long that the touch is no longer one; whoever thought better of it is told nothing.
    if (problem instanceof DOMException && problem.name === "NotAllowedError") told.textContent = group.dataset.ready ?? "";
  }
}

/** The picture, asked for until it is made; null where the site says why there is none. @param {string} address */
async function fetched(address) {
  for (let tries = 0; tries < TRIES; tries++) {
    const response = await fetch(address).catch(() => null);
    if (response?.status === 200) {
      const name = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? "map.png";
      return new File([await response.blob()], name, { type: "image/png" });
    }
    if (response?.status !== 202) return null;
    await new Promise((resolve) => setTimeout(resolve, 1000 * PAUSE));
  }
  return null;
}
