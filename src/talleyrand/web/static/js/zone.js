/** Chooses the zone of the browser where somebody signs up and has not chosen one yet. */
const select = document.getElementById("id_zone");
const refused = document.querySelector("#signup [aria-invalid='true'], #signup .errorlist");
if (select instanceof HTMLSelectElement && !refused) choose(Intl.DateTimeFormat().resolvedOptions().timeZone);

/** @param {string | undefined} zone an IANA name, perhaps an old one */
function choose(zone) {
  if (!(select instanceof HTMLSelectElement) || !zone) return;
  if (![...select.options].some((option) => option.value === zone)) {
    select.append(new Option(zone.replaceAll("_", " "), zone));
  }
  select.value = zone;
}
