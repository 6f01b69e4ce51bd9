import { oneLine } from "../../../base/syntax/one-line.ts";
import { Button } from "../../kit/components.tsx";
import { Field, Form } from "../../kit/fields.tsx";
import { deleteProject, isNameOf } from "../../../projects/projects.ts";
import { refuse } from "../../kit/forms.ts";
import { Section } from "../../kit/layout.tsx";
import { ConfirmField, findUnconfirmed } from "../../kit/session/confirm.tsx";
import type { SettingsTab } from "./own-forms.ts";
import { pathOfSettings, type SettingsProps } from "./settings-forms.ts";
import { PROBLEMS, typeName, WORDS } from "./settings-words.ts";

const MAX_SHOWN = 100;

/** How a project is deleted: its name typed, and the password if that was long ago. */
function Deletion({ settings, signedIn }: SettingsProps) {
  const name = oneLine(settings.name, MAX_SHOWN);
  return (
    <Section id="deletion" title={WORDS.deletion}>
      <p>{WORDS.deletionLead}</p>
      <Form action={pathOfSettings(settings.id, "delete")}>
        <Field name="confirm_name" label={WORDS.confirmName} hint={typeName(name)} />
        <ConfirmField signedIn={signedIn} />
        <p class="actions">
          <Button label={WORDS.delete} on={name} tone="danger" />
        </p>
      </Form>
    </Section>
  );
}

export const DELETION_TAB: SettingsTab = {
  Content: Deletion,
  takeForms: (take, deps) =>
    take(
      "",
      async ({ actor, project, fields: { confirm_name: name = "" }, request, reply }) => {
        if (!isNameOf(project, name)) return refuse({ confirm_name: PROBLEMS.nameWrong });
        const unconfirmed = await findUnconfirmed(deps, request, reply);
        if (unconfirmed !== undefined) return unconfirmed;
        await deleteProject(deps, actor, project.id, name);
        return reply.redirect("/projects", 303);
      },
      { right: "delete" },
    ),
};
