import { Caps, Explanation, Head, Rest } from "../../shared/report/report.tsx";
import type { Reading, ReportLanguage } from "../../shared/report/reported.ts";
import { capitalize, labelText, say, WORDS } from "../../shared/report/words.ts";
import { urlOf } from "../check/addresses.ts";
import { findDocsUrl } from "../../shared/report/addresses.ts";
import { listAcceptedLines, withoutAccepted } from "../../shared/report/accepted.ts";
import type { Checked, GatedCheck } from "../check/checked.ts";
import type { Gate } from "../../shared/report/gate.ts";
import { describeError } from "../terminal/errors.ts";
import { listChanges } from "../../shared/report/changes.ts";
import type { About } from "./report.ts";
import { LABELS } from "../../shared/report/labels.ts";

function GateList({ gate: { conditions }, language }: { gate: Gate; language: ReportLanguage }) {
  if (conditions.length === 0) return null;
  return (
    <section>
      <h2>{say(LABELS.gate, language)}</h2>
      <ul class="gate">
        {conditions.map(({ isMet, text }) => (
          <li>
            <span class={`mark ${isMet ? "good" : "bad"}`} aria-hidden="true">
              {isMet ? "✓" : "✗"}
            </span>
            {labelText(
              capitalize(say(isMet ? LABELS.met : LABELS.notMet, language)),
              text,
              language,
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function AcceptedList({ checked, language }: { checked: GatedCheck; language: ReportLanguage }) {
  const [score, ...lines] = listAcceptedLines(checked, language);
  if (score === undefined) return null;
  return (
    <section>
      <h2>{say(LABELS.accepted, language)}</h2>
      <p>{score}</p>
      <ul class="gate">
        {lines.map((line) => (
          <li>{line}</li>
        ))}
      </ul>
    </section>
  );
}

function ChangeList({ checked, language }: { checked: GatedCheck; language: ReportLanguage }) {
  const changes = listChanges(checked, language);
  if (changes.length === 0) return null;
  return (
    <section>
      <h2>{say(LABELS.changes, language)}</h2>
      <ul class="gate">
        {changes.map(({ text }) => (
          <li>{text}</li>
        ))}
      </ul>
    </section>
  );
}

interface PageProps {
  checked: Checked;
  index: number;
  about: About;
}

export function Page({ checked, index, about }: PageProps) {
  if ("error" in checked)
    return (
      <section class="page" id={`page-${index + 1}`}>
        <h1>{urlOf(checked)}</h1>
        <p class="verdict bad">{say(WORDS.notChecked, about.language)}</p>
        <p class="error">{describeError(checked.error)}</p>
      </section>
    );
  const { check, gate } = checked;
  const reading: Reading = {
    language: about.language,
    findingsLanguage: about.language,
    docsUrlOf: (finding) => findDocsUrl(finding, about.docsBase),
    prefix: `page-${index + 1}-`,
  };
  return (
    <section class="page" id={`page-${index + 1}`}>
      <Head check={check} reading={reading} />
      <Caps check={check} reading={reading} />
      <GateList gate={gate} language={about.language} />
      <AcceptedList checked={checked} language={about.language} />
      <ChangeList checked={checked} language={about.language} />
      <Explanation check={withoutAccepted(checked)} reading={reading} />
      <Rest check={check} reading={reading} />
      <p class="soft">
        {capitalize(say(WORDS.ruleset, about.language))} {check.ruleset},{" "}
        {say(LABELS.check, about.language)} <code>{check.id}</code>
      </p>
    </section>
  );
}
