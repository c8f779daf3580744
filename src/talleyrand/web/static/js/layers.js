/** Put a layer of the drawing in place of the one with its id.
 * @param {string} id @param {string} layer as the server drew it
 */
export function replaceLayer(id, layer) {
  const old = document.querySelector(`#viewport #${id}`);
  if (!old) return;
  const holder = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  holder.innerHTML = layer;
  if (holder.firstElementChild) old.replaceWith(holder.firstElementChild);
}
