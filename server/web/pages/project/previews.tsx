import { editPreviews, PreviewEdit, switchPreviewsOff } from "../../../projects/previews.ts";
import { FORM_FAULTS } from "../../../base/input-faults.ts";
import { T, useSay } from "../../kit/reader.tsx";
import { Checkboxes, TextArea, Form } from "../../kit/fields.tsx";
import { Section } from "../../kit/layout.tsx";
import { ActionButton } from "./state-badges.tsx";
import { PREVIEWS as WORDS } from "./gate-words.ts";
import {
  pathOfSettings,
  refuseFields,
  type SettingsProps,
  type SettingsTab,
} from "./settings-tabs.ts";

function Previews({ settings: { id, previews } }: SettingsProps) {
  const say = useSay();
  const { hosts, headers } = previews;
  const path = pathOfSettings(id, "previews");
  return (
    <Section id="previews" title={WORDS.title}>
      <p>
        <T text={WORDS.lead} />
      </p>
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
        <a href={`/projects/${id}/previews`}>
          <T text={WORDS.list} />
        </a>
      </p>
    </Section>
  );
}

export const PREVIEWS_TAB: SettingsTab = {
  refusals: {
    secret_key_missing: { headers: WORDS.noKey },
    input_invalid: { hosts: FORM_FAULTS.preview_hosts_open },
  },
  Content: Previews,
  addForms(addForm, deps) {
    addForm("", async ({ actor, project, fields: { hosts = "", headers = "", forget } }) => {
      const typed = headers.trim() !== "" || forget === "on" ? headers : undefined;
      const edit = PreviewEdit.safeParse({ hosts, headers: typed });
      if (!edit.success) return refuseFields(edit.error);
      await editPreviews(deps, actor, project.id, edit.data);
      return "saved";
    });
    addForm("/off", async ({ actor, project }) => {
      await switchPreviewsOff(deps, actor, project.id);
      return "saved";
    });
  },
};
