() => {
  const svg = document.querySelector("#viewport svg.board");
  const frame = document.querySelector("#viewport").getBoundingClientRect();
  const scale = (node) => Math.hypot(node.getScreenCTM().a, node.getScreenCTM().b);
  const seen = ({ x, y }) => x > frame.left && x < frame.right && y > frame.top && y < frame.bottom;
  const middle = (box) => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 });
  const bodies = [...svg.querySelectorAll("#layer-units .unit .body")].map((one) => one.getBoundingClientRect());
  const units = bodies.filter((box) => seen(middle(box)));
  const letters = (text) => {
    const matrix = text.getScreenCTM();
    return [...Array(text.getNumberOfChars()).keys()].map((at) => {
      const turn = (text.getRotationOfChar(at) * Math.PI) / 180;
      const [start, end] = [text.getStartPositionOfChar(at), text.getEndPositionOfChar(at)];
      const high = parseFloat(getComputedStyle(text).fontSize) * 0.3;
      const spot = new DOMPoint((start.x + end.x) / 2 + Math.sin(turn) * high, (start.y + end.y) / 2 - Math.cos(turn) * high);
      return spot.matrixTransform(matrix);
    });
  };
  const texts = [...svg.querySelectorAll("#layer-labels text[data-province]")]
    .filter((one) => getComputedStyle(one).display !== "none")
    .map((one) => ({ province: one.dataset.province, size: parseFloat(getComputedStyle(one).fontSize) * scale(one), letters: letters(one) }));
  const shown = texts.filter((one) => one.letters.some(seen));
  const inside = (spot, box) => spot.x > box.left + 1 && spot.x < box.right - 1 && spot.y > box.top + 1 && spot.y < box.bottom - 1;
  const under = shown.filter((one) => one.letters.some((spot) => units.some((box) => inside(spot, box))));
  const over = [];
  shown.forEach((one, at) => shown.slice(at + 1).forEach((other) => {
    const near = (one.size + other.size) * 0.22;
    if (one.province !== other.province && one.letters.some((a) => other.letters.some((b) => Math.hypot(a.x - b.x, a.y - b.y) < near))) over.push(`${one.province} ${other.province}`);
  }));
  const cut = shown.filter((one) => !one.letters.every(seen));
  const whole = (node) => {
    const box = node.getBoundingClientRect();
    return seen({ x: box.left + 2, y: box.top + 2 }) && seen({ x: box.right - 2, y: box.bottom - 2 });
  };
  const named = new Set(texts.map((one) => one.province));
  return {
    unit: units.map((box) => [box.width, box.height]).sort((a, b) => a[0] - b[0])[0] ?? [0, 0],
    letters: Math.min(...shown.map((one) => one.size)),
    bare: [...svg.querySelectorAll("#layer-map [data-province]")].filter((one) => whole(one)).map((one) => one.dataset.province).filter((one) => !named.has(one)),
    under: under.map((one) => one.province),
    over,
    cut: cut.map((one) => one.province),
  };
}
