/** A page of letters: the form keeps what is typed, and what comes is put into the page. */
import { Letters } from "./conversation.js";

const letters = new Letters({
  root: document.body,
  address: () => location.href,
  go: (address) => location.assign(address),
});
document.addEventListener("talleyrand:changed", () => letters.refresh());
document.addEventListener("visibilitychange", () => letters.seen());
