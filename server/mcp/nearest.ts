import { countEdits } from "../../shared/edits.ts";

/** The one of these ids that is spelt most like `wanted`, which may be a part of it: `csp` is `hdr.csp`. */
export function findNearest(wanted: string, ids: readonly string[]): string {
  const typed = wanted.trim().toLowerCase();
  const ranked = ids.map((id) => {
    const isPart = typed.length > 1 && (id.includes(typed) || typed.includes(id));
    return { id, rank: countEdits(typed, id) - (isPart ? 100 : 0) };
  });
  return ranked.toSorted((one, other) => one.rank - other.rank)[0]?.id ?? "";
}
