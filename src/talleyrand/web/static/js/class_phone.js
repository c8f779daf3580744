/** A phone of a class, on a page that follows its game by itself: it looks at the teacher when told to. */
const now = document.body.dataset.now || "";
document.addEventListener("talleyrand:changed", () => {
  fetch(now).then((response) => (response.ok ? response.json() : { reload: false })).then((told) => told.reload && location.reload(), () => undefined);
});
