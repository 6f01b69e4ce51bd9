import { say } from "../../../../shared/report/words.ts";
import type { Previews } from "../../../db/projects/previews.ts";
import type { Language } from "../../../base/language.ts";
import { Checkboxes, TextArea } from "../../kit/components.tsx";
import type { Filled } from "../../kit/forms.ts";
import { Section } from "../../kit/layout.tsx";
import { ActionButton } from "./action-button.tsx";
import { PREVIEWS as WORDS } from "./gate-words.ts";
import { pathOfSettings } from "./settings-forms.ts";

interface PreviewsProps {
  projectId: string;
  previews: Previews;
  filled: Filled;
  language: Language;
}

/** Which previews of a project are checked, and with which headers. */
export function PreviewsSection({ projectId, previews, filled, language }: PreviewsProps) {
  const { hosts, headers } = previews;
  const { values, problems } = filled;
  const path = pathOfSettings(projectId, "previews");
  return (
    <Section id="previews" title={say(WORDS.title, language)}>
      <p>{say(WORDS.lead, language)}</p>
      <form method="post" action={`${path}#previews`} data-once>
        <TextArea
          name="hosts"
          rows={4}
          label={say(WORDS.hosts, language)}
          hint={say(WORDS.hostsHint, language)}
          value={values["hosts"] ?? hosts.join("\n")}
          problem={problems["hosts"]}
        />
        <TextArea
          name="headers"
          rows={3}
          label={say(WORDS.headers, language)}
          hint={say(WORDS.headersHint, language)}
          placeholder="x-vercel-protection-bypass: …"
          problem={problems["headers"]}
        />
        {headers.length > 0 && (
          <Checkboxes
            name="stored"
            label={`${say(WORDS.stored, language)} ${headers.join(", ")}`}
            problem={undefined}
            boxes={[{ name: "forget", label: say(WORDS.forget, language), isTicked: false }]}
          />
        )}
        <p class="actions">
          <button type="submit">{say(WORDS.save, language)}</button>
        </p>
      </form>
      {hosts.length > 0 && (
        <ActionButton
          action={`${path}/off`}
          label={WORDS.off}
          name={WORDS.offName}
          isPlain
          language={language}
        />
      )}
      <p>
        <a href={`/projects/${projectId}/previews`}>{say(WORDS.list, language)}</a>
      </p>
    </Section>
  );
}
