/** The value below which this share of the numbers lies; NaN if there are none. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = Float64Array.from(numbers).toSorted();
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
