/** How many letters must be typed, deleted or replaced to make one text of the other. */
function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of Array.from(one).entries()) {
    const next = [index + 1];
    for (let place = 1; place <= other.length; place++) {
      const replaced = (row[place - 1] ?? 0) + (other[place - 1] === letter ? 0 : 1);
      next.push(Math.min(replaced, (row[place] ?? 0) + 1, (next[place - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The one of these ids that is spelt most like `wanted`, which may be a part of it: `csp` is `hdr.csp`. */
export function findNearest(wanted: string, ids: readonly string[]): string {
  const typed = wanted.trim().toLowerCase();
  const ranked = ids.map((id) => {
    const isPart = typed.length > 1 && (id.includes(typed) || typed.includes(id));
    return { id, rank: countEdits(typed, id) - (isPart ? 100 : 0) };
  });
  return ranked.toSorted((one, other) => one.rank - other.rank)[0]?.id ?? "";
}
