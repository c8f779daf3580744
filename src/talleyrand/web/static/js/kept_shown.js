/** A phone whose seat has moved shows what was written on it and not received. */
import { keptLines, keptRecords } from "./kept_orders.js";

const place = document.getElementById("kept");
if (place) {
  for (const { record } of keptRecords(place.dataset.table || "")) {
    const [row, lines] = [document.createElement("li"), document.createElement("pre")];
    row.textContent = `${record.title}, ${record.power}`;
    lines.className = "lines";
    lines.textContent = keptLines(record).join("\n");
    row.append(lines);
    /** @type {HTMLElement} */ (place.querySelector("ul")).append(row);
    place.hidden = false;
  }
}
