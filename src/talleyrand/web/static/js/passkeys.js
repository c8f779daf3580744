// Passkeys: asks the browser to make one, or to show one, and sends what it answers.

/** @param {string} text base64url @returns {Uint8Array<ArrayBuffer>} */
function bytes(text) {
  const plain = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(plain), (sign) => sign.charCodeAt(0));
}

/** @param {ArrayBuffer | null} buffer @returns {string | null} base64url */
function text(buffer) {
  if (!buffer) return null;
  const signs = Array.from(new Uint8Array(buffer), (value) => String.fromCharCode(value)).join("");
  return btoa(signs).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @typedef {{ id: string }} Named */

/** @param {any} given what the site asks, in JSON */
function asked(given) {
  const named = (/** @type {Named[] | undefined} */ list) =>
    (list ?? []).map((one) => ({ ...one, id: bytes(one.id) }));
  return {
    ...given,
    challenge: bytes(given.challenge),
    ...(given.user ? { user: { ...given.user, id: bytes(given.user.id) } } : {}),
    excludeCredentials: named(given.excludeCredentials),
    allowCredentials: named(given.allowCredentials),
  };
}

/** @param {Credential | null} made */
function told(made) {
  const key = /** @type {PublicKeyCredential} */ (made);
  const answer = /** @type {any} */ (key.response);
  const parts = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  const response = Object.fromEntries(parts.filter((part) => answer[part]).map((part) => [part, text(answer[part])]));
  if (answer.getTransports) Object.assign(response, { transports: answer.getTransports() });
  return JSON.stringify({
    id: key.id,
    rawId: text(key.rawId),
    type: key.type,
    authenticatorAttachment: key.authenticatorAttachment,
    clientExtensionResults: key.getClientExtensionResults(),
    response,
  });
}

/** @param {HTMLFormElement} form @param {string} kind */
async function question(form, kind) {
  const shown = document.getElementById("passkey-options");
  if (kind !== "sign-in") return JSON.parse(shown?.textContent ?? "{}").publicKey;
  const data = new FormData(form);
  data.delete("credential");
  const answer = await fetch(form.action, { method: "POST", body: data });
  if (!answer.ok) throw new Error(String(answer.status));
  return (await answer.json()).publicKey;
}

/** @param {HTMLElement} place */
function prepare(place) {
  const form = /** @type {HTMLFormElement} */ (place.closest("form"));
  const button = /** @type {HTMLButtonElement} */ (place.querySelector("button"));
  const said = /** @type {HTMLElement} */ (place.querySelector("[role=alert]"));
  const credential = /** @type {HTMLInputElement} */ (place.querySelector("[name=credential]"));
  const kind = place.dataset.passkey ?? "";
  const say = (/** @type {string | undefined} */ words) => {
    said.textContent = words ?? "";
    said.hidden = !words;
  };
  if (!("PublicKeyCredential" in window)) {
    button.disabled = true;
    if (kind !== "sign-in") say(place.dataset.missing);
    return;
  }
  form.hidden = false;
  const remember = /** @type {HTMLInputElement | null} */ (document.getElementById("id_remember"));
  const show = async () => {
    if (!form.reportValidity()) return;
    button.disabled = true;
    say("");
    try {
      const publicKey = asked(await question(form, kind));
      const { credentials } = navigator;
      const made = await (kind === "create" ? credentials.create({ publicKey }) : credentials.get({ publicKey }));
      credential.value = told(made);
      const kept = /** @type {HTMLInputElement | null} */ (form.querySelector("[name=remember]"));
      if (kept) kept.value = remember?.checked ? "on" : "";
      form.submit();
    } catch {
      say(place.dataset.failed);
    } finally {
      button.disabled = false;
    }
  };
  button.addEventListener("click", show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    show();
  });
}

document.querySelectorAll("[data-passkey]").forEach((place) => prepare(/** @type {HTMLElement} */ (place)));

export {};
