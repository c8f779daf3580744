// Shows what comes while no page of the site is open. It answers for no page and keeps none.

/**
 * @typedef {{title: string, body: string, path: string, tag: string}} Told
 * @typedef {Event & {waitUntil: (done: Promise<unknown>) => void}} Lasting
 * @typedef {{url: string, focus: () => Promise<Page>, navigate: (url: string) => Promise<Page | null>}} Page
 */

(() => {
  const worker = /** @type {any} */ (globalThis);

  /** @param {{json: () => Told} | null} data */
  function read(data) {
    try {
      return data?.json() ?? null;
    } catch {
      return null;
    }
  }

  /** @param {Told | null} told */
  function show(told) {
    return worker.registration.showNotification(told?.title || "Talleyrand", {
      body: told?.body ?? "",
      tag: told?.tag || "talleyrand",
      data: { path: told?.path || "/" },
      icon: "/static/icons/icon-192.png",
      badge: "/static/icons/badge-96.png",
    });
  }

  /** Where a notification leads: a page of this site, whatever it says.
   * @param {unknown} path
   */
  function lead(path) {
    const url = new URL(typeof path === "string" ? path : "/", worker.location.origin);
    return url.origin === worker.location.origin ? url.href : `${worker.location.origin}/`;
  }

  /** A page that is open there already, else another one.
   * @param {string} url
   */
  async function open(url) {
    /** @type {Page[]} */
    const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = pages.find((page) => page.url === url);
    return there ? there.focus() : worker.clients.openWindow(url);
  }

  worker.addEventListener("install", () => worker.skipWaiting());
  worker.addEventListener("activate", (/** @type {Lasting} */ event) => event.waitUntil(worker.clients.claim()));
  worker.addEventListener("push", (/** @type {Lasting & {data: {json: () => Told} | null}} */ event) =>
    event.waitUntil(show(read(event.data))),
  );
  worker.addEventListener(
    "notificationclick",
    (/** @type {Lasting & {notification: {close: () => void, data: {path?: unknown} | null}}} */ event) => {
      event.notification.close();
      event.waitUntil(open(lead(event.notification.data?.path)));
    },
  );
})();
