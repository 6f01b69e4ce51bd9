import { isAppError } from "../../../base/errors.ts";
import type { ProjectAcceptance, ProjectGate } from "../../../db/projects/gates.ts";
import { oneLine } from "../../../base/syntax/text.ts";
import {
  acceptFinding,
  editGate,
  GateEdit,
  listMinima,
  NewAcceptance,
  unacceptFinding,
} from "../../../projects/gates.ts";
import { Checkboxes, Field, Form } from "../../kit/fields.tsx";
import type { Fields } from "../../kit/forms.ts";
import { Section, Table } from "../../kit/layout.tsx";
import { T, useReader } from "../../kit/reader.tsx";
import { describeDay } from "../../kit/time.tsx";
import { ActionButton } from "./state-badges.tsx";
import { GATE as WORDS } from "./gate-words.ts";
import {
  pathOfSettings,
  refuseFields,
  type SettingsProps,
  type SettingsTab,
} from "./settings-tabs.ts";

const LONGEST_REASON = 300;

function fieldsOfGate(gate: ProjectGate): Fields {
  const { minScore, require, maxDrop, failOnNew } = gate;
  return {
    min_score: String(minScore ?? ""),
    min_category: listMinima(gate).join(", "),
    require: (require ?? []).join(", "),
    max_drop: String(maxDrop ?? ""),
    ...(failOnNew && { fail_on_new: "on" }),
  };
}

const CONDITIONS = [
  ["min_score", WORDS.minScore, WORDS.minScoreHint],
  ["min_category", WORDS.minCategory, WORDS.minCategoryHint],
  ["require", WORDS.require, WORDS.requireHint],
  ["max_drop", WORDS.maxDrop, WORDS.maxDropHint],
] as const;

const ACCEPTANCE = [
  ["rule", WORDS.rule, undefined],
  ["reason", WORDS.reason, undefined],
  ["until", WORDS.until, WORDS.untilHint],
  ["page", WORDS.page, WORDS.pageHint],
] as const;

function Conditions({ gate, path }: { gate: ProjectGate; path: string }) {
  const values = fieldsOfGate(gate);
  return (
    <Form action={path} submit={WORDS.save} isOnce>
      {CONDITIONS.map(([name, label, hint]) => (
        <Field name={name} label={label} hint={hint} value={values[name] ?? ""} />
      ))}
      <Checkboxes
        name="new"
        label={WORDS.others}
        boxes={[{ name: "fail_on_new", label: WORDS.failOnNew, isTicked: "fail_on_new" in values }]}
      />
    </Form>
  );
}

function Acceptances({ accept, path }: { accept: readonly ProjectAcceptance[]; path: string }) {
  const { language, say } = useReader();
  return (
    <Table
      head={[WORDS.rule, WORDS.pages, WORDS.until, WORDS.reason, ""]}
      rows={accept.map(({ rule, pages, until, reason }) => ({
        key: `${rule} ${pages?.join(" ")}`,
        cells: [
          rule,
          pages === null ? say(WORDS.allPages) : oneLine(pages.join(", "), LONGEST_REASON),
          describeDay(new Date(until), { language }),
          oneLine(reason, LONGEST_REASON),
          <ActionButton
            action={`${path}/unaccept`}
            label={WORDS.unaccept}
            on={rule}
            sends={{ rule }}
            isPlain
          />,
        ],
      }))}
    />
  );
}

function Gate({ settings: { id, gate } }: SettingsProps) {
  const path = pathOfSettings(id, "gate");
  return (
    <>
      <Section id="gate" title={WORDS.title}>
        <p>
          <T text={WORDS.lead} />
        </p>
        <Conditions gate={gate} path={path} />
      </Section>
      <Section id="accepted" title={WORDS.accepted}>
        <p>
          <T text={WORDS.acceptedLead} />
        </p>
        <Acceptances accept={gate.accept} path={path} />
        <Form action={`${path}/accept#accepted`} submit={WORDS.accept} isOnce>
          {ACCEPTANCE.map(([name, label, hint]) => (
            <Field
              name={name}
              label={label}
              hint={hint}
              value=""
              {...(name === "until" && { type: "date" as const })}
            />
          ))}
        </Form>
      </Section>
    </>
  );
}

const NAMES = { minScore: "min_score", minCategory: "min_category", maxDrop: "max_drop" };

export const GATE_TAB: SettingsTab = {
  refusals: { too_many_accepted: { rule: WORDS.tooMany } },
  Content: Gate,
  addForms(addForm, deps) {
    addForm("", async ({ actor, project, fields }) => {
      const typed = (name: string) => fields[name]?.trim() || "none";
      const edit = GateEdit.safeParse({
        minScore: typed("min_score"),
        minCategory: typed("min_category"),
        require: typed("require"),
        maxDrop: typed("max_drop"),
        failOnNew: fields["fail_on_new"] === "on" || "none",
      });
      if (!edit.success) return refuseFields(edit.error, NAMES);
      await editGate(deps, actor, project.id, edit.data);
      return "saved";
    });

    addForm(
      "/accept",
      async ({ actor, project, fields: { rule = "", reason = "", until = "", page = "" } }) => {
        const read = NewAcceptance.safeParse({
          rule,
          reason,
          until,
          page: page.trim() || undefined,
        });
        if (!read.success) return refuseFields(read.error);
        await acceptFinding(deps, actor, project.id, read.data);
        return "saved";
      },
    );

    addForm("/unaccept", async ({ actor, project, fields: { rule = "" } }) => {
      try {
        await unacceptFinding(deps, actor, project.id, rule);
      } catch (error) {
        if (!isAppError(error, "accepted_not_found")) throw error;
      }
      return "saved";
    });
  },
};
