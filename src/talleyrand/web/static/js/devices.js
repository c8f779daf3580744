// The page of one's devices: registers this browser with its push service, and with the site.

const place = /** @type {HTMLElement} */ (document.getElementById("this-device"));
const button = /** @type {HTMLButtonElement} */ (document.getElementById("register"));
const said = /** @type {HTMLElement} */ (document.getElementById("device-said"));
const words = place.dataset;

/** @param {string | undefined} text */
function say(text) {
  said.textContent = text ?? "";
  said.hidden = !text;
}

function can() {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
}

/** An iPhone shows notifications of a site that is on its home screen alone. */
function isAppleTablet() {
  return /iPhone|iPad/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
}

/** @param {string} text base64url */
function bytes(text) {
  const plain = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(plain + "=".repeat((4 - (plain.length % 4)) % 4)), (sign) => sign.charCodeAt(0));
}

/** @param {ArrayBuffer | null | undefined} one @param {Uint8Array} other */
function same(one, other) {
  if (!one || one.byteLength !== other.length) return false;
  const read = new Uint8Array(one);
  return other.every((value, index) => value === read[index]);
}

/** The browser's subscription under the site's key; one under another key is given up. */
async function subscribe() {
  await navigator.serviceWorker.register(words.worker ?? "", { scope: "/" });
  const registration = await navigator.serviceWorker.ready;
  const key = bytes(words.key ?? "");
  const before = await registration.pushManager.getSubscription();
  if (before && same(before.options.applicationServerKey, key)) return before;
  await before?.unsubscribe();
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** @param {PushSubscription} subscription */
async function tell(subscription) {
  const answer = await fetch(words.add ?? "", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": words.token ?? "" },
    body: JSON.stringify(subscription),
  });
  if (answer.ok) return location.reload();
  const told = await answer.json().catch(() => ({}));
  say(told.refused ?? words.failed);
}

async function register() {
  button.disabled = true;
  say("");
  try {
    if ((await Notification.requestPermission()) !== "granted") say(words.denied);
    else await tell(await subscribe());
  } catch {
    say(words.failed);
  }
  button.disabled = false;
}

/** @type {HTMLElement} */ (document.getElementById("needs-script")).hidden = true;
if (!window.isSecureContext) say(words.insecure);
else if (!can()) say(isAppleTablet() ? words.apple : words.unable);
else if (Notification.permission === "denied") say(words.denied);
else if (!("registered" in words)) {
  button.hidden = false;
  button.addEventListener("click", register);
}

export {};
