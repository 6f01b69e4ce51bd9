import type { Language } from "../../shared/language.ts";
import { FreeList } from "../../shared/report/findings.tsx";
import { Caps, Explanation, Head } from "../../shared/report/report.tsx";
import type { Reading } from "../../shared/report/reported.ts";
import { capitalize, labelText, say, WORDS } from "../../shared/report/words.ts";
import { urlOf, type Checked } from "../check/results.ts";
import { findDocsUrl } from "../../shared/report/addresses.ts";
import { listAcceptedLines, withoutAccepted } from "../../shared/report/accepted.ts";
import type { Gate } from "../../shared/report/gate.ts";
import { describeError } from "../terminal/errors.ts";
import { listChanges } from "../../shared/report/changes.ts";
import type { About } from "./report.ts";

function GateList({ gate: { conditions }, language }: { gate: Gate; language: Language }) {
  if (conditions.length === 0) return null;
  return (
    <section>
      <h2>{say(WORDS.gate, language)}</h2>
      <ul class="gate">
        {conditions.map(({ isMet, text }) => (
          <li>
            <span class={`mark ${isMet ? "good" : "bad"}`} aria-hidden="true">
              {isMet ? "✓" : "✗"}
            </span>
            {labelText(capitalize(say(isMet ? WORDS.met : WORDS.notMet, language)), text, language)}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface LinesProps {
  title: string;
  lead?: string | undefined;
  lines: readonly string[];
}

function Lines({ title, lead, lines }: LinesProps) {
  if (lines.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      {lead && <p>{lead}</p>}
      <ul class="gate">
        {lines.map((line) => (
          <li>{line}</li>
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
        <p class="error">{describeError(checked.error, about.language)}</p>
      </section>
    );
  const { check, gate } = checked;
  const [score, ...accepted] = listAcceptedLines(checked, about.language);
  const changes = listChanges(checked, about.language).map(({ text }) => text);
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
      <Lines title={say(WORDS.acceptedList, about.language)} lead={score} lines={accepted} />
      <Lines title={say(WORDS.changes, about.language)} lines={changes} />
      <Explanation check={withoutAccepted(checked)} reading={reading} />
      <FreeList check={check} reading={reading} />
      <p class="soft">
        {capitalize(say(WORDS.ruleset, about.language))} {check.ruleset},{" "}
        {say(WORDS.check, about.language)} <code>{check.id}</code>
      </p>
    </section>
  );
}
