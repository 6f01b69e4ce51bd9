import { Caps, Explanation, Head, Rest } from "../../shared/report/report.tsx";
import type { Reading } from "../../shared/report/reported.ts";
import { docsUrlOf, urlOf } from "../check/addresses.ts";
import type { Checked } from "../check/checked.ts";
import type { Gate } from "../check/gate.ts";
import { describeError } from "../terminal/errors.ts";
import type { About } from "./report.ts";

function GateList({ conditions }: Gate) {
  if (conditions.length === 0) return null;
  return (
    <section>
      <h2>Gate</h2>
      <ul class="gate">
        {conditions.map(({ isMet, text }) => (
          <li>
            <span class={`mark ${isMet ? "good" : "bad"}`} aria-hidden="true">
              {isMet ? "✓" : "✗"}
            </span>
            {isMet ? "Met" : "Not met"}: {text}
          </li>
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

/** One page of a run: its score and all that explains it, or why there is none. */
export function Page({ checked, index, about }: PageProps) {
  if ("error" in checked)
    return (
      <section class="page" id={`page-${index + 1}`}>
        <h1>{urlOf(checked)}</h1>
        <p class="verdict bad">Not checked</p>
        <p class="error">{describeError(checked.error)}</p>
      </section>
    );
  const { check, gate } = checked;
  const reading: Reading = {
    language: "en",
    findingsLanguage: about.language,
    docsUrlOf: (finding) => docsUrlOf(finding, about.baseUrl),
  };
  return (
    <section class="page" id={`page-${index + 1}`}>
      <Head check={check} reading={reading} />
      <Caps check={check} reading={reading} />
      <GateList {...gate} />
      <Explanation check={check} reading={reading} />
      <Rest check={check} reading={reading} />
      <p class="soft">
        Ruleset {check.ruleset}, check <code>{check.id}</code>
      </p>
    </section>
  );
}
