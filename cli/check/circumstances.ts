import type { ReceivedCheck } from "../client/received.ts";

/** What a score must be read with: a preview, a range, points that were not judged. Empty for a full check. */
export function listCircumstances({ preview, scoreRange, coverage }: ReceivedCheck): string[] {
  const { min, max } = scoreRange;
  return [
    ...(preview ? ["as a preview"] : []),
    ...(min === max ? [] : [`between ${min} and ${max}`]),
    ...(coverage === 100 ? [] : [`${coverage}% of the points judged`]),
  ];
}
