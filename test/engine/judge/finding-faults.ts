import { isDeepStrictEqual } from "node:util";
import type { Evidence } from "../../../server/engine/evidence/evidence.ts";
import type { Finding } from "../../../shared/check.ts";

/** Words of JavaScript's, which are a rule's own fault unless the site said them. */
const SLIP = /undefined|NaN|\[object/;

/** What a finding lacks of what holds for every one, whatever was judged: its points, its words, and the same in French. */
export function listFaults(evidence: Evidence, english: Finding, french: Finding): string[] {
  const { id, status, earned, points, fix, why } = english;
  const isCostly = status === "fail" || status === "partial";
  const isFull = status === "pass" || status === "not_applicable";
  const unworded = { title: "", evidence: "", why: "", fix: "" };
  const faults = {
    "says nothing": english.evidence === "",
    "says a word of JavaScript's":
      SLIP.test(english.evidence) && !SLIP.test(JSON.stringify(evidence)),
    "earns something": status === "fail" && earned !== 0,
    "does not earn a part": status === "partial" && !(earned > 0 && earned < points),
    "does not earn its points": isFull && earned !== points,
    "has no fix": isCostly && fix === "",
    "does not say why it matters": isCostly !== (why !== ""),
    "has a fix that is no sentence": ![fix, french.fix].every((one) => /^$|\.$/.test(one)),
    "has a fix": isFull && fix !== "",
    "has the same words in French":
      french.title === english.title ||
      (fix !== "" && french.fix === fix) ||
      (why !== "" && french.why === why),
    "is another in French": !isDeepStrictEqual(
      { ...french, ...unworded },
      { ...english, ...unworded },
    ),
  };
  return Object.entries(faults).flatMap(([fault, holds]) => (holds ? [`${id} ${fault}`] : []));
}
