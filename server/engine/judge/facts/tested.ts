import type { Text } from "../../../../shared/language.ts";
import { describeCount } from "../../../../shared/report/words.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { writeText } from "../rule.ts";

const OF = { fr: "sur", en: "of" };

/** `12 of 31`. */
export function describeTested(tested: number, all: number): Text {
  return writeText(
    (language) =>
      `${describeCount(tested, language)} ${OF[language]} ${describeCount(Math.max(tested, all), language)}`,
  );
}

/** `Dead links (12 of 31 tested)`. */
export function labelTested(what: Text, tested: Text): Text {
  return { fr: `${what.fr} (testés : ${tested.fr})`, en: `${what.en} (${tested.en} tested)` };
}

export function describeTestedFiles({ assets, assetCount }: Evidence): Text {
  return describeTested(assets.filter(({ skipped }) => !skipped).length, assetCount);
}
