import { useSay } from "../../kit/reader.tsx";
import { Checkboxes, TextArea } from "../../kit/fields.tsx";
import { Form } from "../../kit/form.tsx";
import { Section } from "../../kit/layout.tsx";
import { ActionButton } from "./action-button.tsx";
import { PREVIEWS as WORDS } from "./gate-words.ts";
import { pathOfSettings, type SettingsProps } from "./settings-forms.ts";

/** Which previews of a project are checked, and with which headers. */
export function PreviewsSection({ settings: { id, previews } }: SettingsProps) {
  const say = useSay();
  const { hosts, headers } = previews;
  const path = pathOfSettings(id, "previews");
  return (
    <Section id="previews" title={WORDS.title}>
      <p>{say(WORDS.lead)}</p>
      <Form action={`${path}#previews`} submit={WORDS.save} isOnce>
        <TextArea
          name="hosts"
          rows={4}
          label={WORDS.hosts}
          hint={WORDS.hostsHint}
          value={hosts.join("\n")}
        />
        <TextArea
          name="headers"
          rows={3}
          label={WORDS.headers}
          hint={WORDS.headersHint}
          placeholder="x-vercel-protection-bypass: …"
          isSecret
        />
        {headers.length > 0 && (
          <Checkboxes
            name="stored"
            label={`${say(WORDS.stored)} ${headers.join(", ")}`}
            boxes={[{ name: "forget", label: WORDS.forget, isTicked: false }]}
          />
        )}
      </Form>
      {hosts.length > 0 && (
        <ActionButton action={`${path}/off`} label={WORDS.off} name={WORDS.offName} isPlain />
      )}
      <p>
        <a href={`/projects/${id}/previews`}>{say(WORDS.list)}</a>
      </p>
    </Section>
  );
}
