import {
  compareFindings,
  explainDifference,
  type FindingChange,
} from "../../../shared/report/compare.ts";
import { costOf, describeCap, findCap } from "../../../shared/report/costs.ts";
import { toneOf } from "../../../shared/report/drawings.tsx";
import { RuleLink } from "../../../shared/report/findings.tsx";
import { isUnjudged } from "../../../shared/report/obstacles.ts";
import type { ReportedCheck } from "../../../shared/report/reported.ts";
import { describePoints, describeVerdict } from "../../../shared/report/words.ts";
import type { Language, Text } from "../../../shared/language.ts";
import { T, useReader } from "./reader.tsx";
import { useReading } from "./report-locale.tsx";

const GROUPS = {
  fixed: { fr: "Corrigé", en: "Fixed" },
  new: { fr: "Nouveau", en: "New" },
  unjudged: { fr: "N'a pas pu être vérifié cette fois", en: "Could not be checked this time" },
  still: { fr: "Toujours présent", en: "Still present" },
} as const satisfies Record<string, Text>;

const NOTHING: Text = {
  fr: "Aucune règle ne coûte de points, ni avant ni maintenant.",
  en: "No rule cost points before, and none does now.",
};

type Group = keyof typeof GROUPS;

/** `+17`, `−5`, `±0`. */
export const describeGain = (points: number, language: Language): string =>
  `${points > 0 ? "+" : points < 0 ? "−" : "±"}${describePoints(Math.abs(points), language)}`;

export function Gain({ points }: { points: number }) {
  const { language } = useReader();
  const tone = points > 0 ? "good" : points < 0 ? "bad" : "soft";
  return <span class={tone}>{describeGain(points, language)}</span>;
}

/** `92, was 75 (+17)`. */
export const describeScores = (now: number, before: number): Text => {
  const gain = now - before;
  const points = (language: Language) => describeGain(gain, language);
  return {
    fr: `${now}, contre ${before} avant (${points("fr")})`,
    en: `${now}, was ${before} (${points("en")})`,
  };
};

function groupOf({ change, finding }: FindingChange): Group | undefined {
  if (change === "fixed") return "fixed";
  if (change === "new") return "new";
  if (change === "unjudged") return "unjudged";
  return costOf(finding) > 0 && !isUnjudged(finding) ? "still" : undefined;
}

/** For the group `still`, the points that the finding costs; for the others, the gain or loss. */
function pointsOf(group: Group, { gain, finding }: FindingChange): number {
  return group === "still" ? -costOf(finding) : gain;
}

interface LineProps {
  group: Group;
  changed: FindingChange;
  now: ReportedCheck;
}

function Line({ group, changed, now }: LineProps) {
  const reading = useReading();
  const { finding } = changed;
  const { language } = reading;
  const cap = findCap(now, finding);
  return (
    <li>
      <span class="points">
        <Gain points={pointsOf(group, changed)} />
      </span>{" "}
      <span>
        <span lang={reading.findingsLanguage}>{finding.title}</span>{" "}
        <RuleLink finding={finding} reading={reading} />
        {cap && `, ${describeCap(cap, language)}`}
      </span>
    </li>
  );
}

export function Comparison({ before, now }: { before: ReportedCheck; now: ReportedCheck }) {
  const { language } = useReader();
  const changes = compareFindings(before, now);
  const groups = (Object.keys(GROUPS) as Group[]).map((group) => ({
    group,
    lines: changes.filter((changed) => groupOf(changed) === group),
  }));
  return (
    <>
      <p class={`verdict ${toneOf(now.verdict)}`}>
        <T text={describeScores(now.score, before.score)} />
        {before.verdict !== now.verdict &&
          ` · ${describeVerdict(before.verdict, language)} → ${describeVerdict(now.verdict, language)}`}
      </p>
      {explainDifference(before, now, changes).map((why) => (
        <p key={why.en}>
          <T text={why} />
        </p>
      ))}
      {groups.every(({ lines }) => lines.length === 0) && (
        <p>
          <T text={NOTHING} />
        </p>
      )}
      {groups.map(
        ({ group, lines }) =>
          lines.length > 0 && (
            <section key={group}>
              <h3>
                <T text={GROUPS[group]} /> ({lines.length})
              </h3>
              <ol class="costs changes">
                {lines.map((changed) => (
                  <Line group={group} changed={changed} now={now} />
                ))}
              </ol>
            </section>
          ),
      )}
    </>
  );
}
