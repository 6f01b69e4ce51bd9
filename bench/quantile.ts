/** The value below which a share of the numbers lies; NaN of none. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = Float64Array.from(numbers).toSorted();
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
