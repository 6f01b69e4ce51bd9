import { say } from "../../../../shared/report/words.ts";
import type { ProjectAcceptance, ProjectGate } from "../../../db/projects/gates.ts";
import type { Language } from "../../../base/language.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import { listMinima } from "../../../projects/gates.ts";
import { Checkboxes, Field } from "../../kit/components.tsx";
import type { Fields, Filled } from "../../kit/forms.ts";
import { Section } from "../../kit/layout.tsx";
import { Table } from "../../kit/table.tsx";
import { ActionButton } from "./action-button.tsx";
import { GATE as WORDS } from "./gate-words.ts";
import { pathOfSettings } from "./settings-forms.ts";

interface GateProps {
  projectId: string;
  gate: ProjectGate;
  /** What was typed into the form of the conditions, and into that which accepts a finding. */
  filled: Filled;
  accepted: Filled;
  language: Language;
}

const LONGEST_REASON = 300;

/** A gate as its form shows it. */
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

const FIELDS = [
  ["min_score", WORDS.minScore, WORDS.minScoreHint],
  ["min_category", WORDS.minCategory, WORDS.minCategoryHint],
  ["require", WORDS.require, WORDS.requireHint],
  ["max_drop", WORDS.maxDrop, WORDS.maxDropHint],
] as const;

function Conditions({ projectId, gate, filled: { values, problems }, language }: GateProps) {
  const isTyped = Object.keys(values).length > 0;
  const shown = isTyped ? values : fieldsOfGate(gate);
  return (
    <form method="post" action={pathOfSettings(projectId, "gate")} data-once>
      {FIELDS.map(([name, label, hint]) => (
        <Field
          name={name}
          label={say(label, language)}
          hint={say(hint, language)}
          value={shown[name] ?? ""}
          problem={problems[name]}
        />
      ))}
      <Checkboxes
        name="new"
        label={say(WORDS.others, language)}
        problem={undefined}
        boxes={[
          {
            name: "fail_on_new",
            label: say(WORDS.failOnNew, language),
            isTicked: shown["fail_on_new"] === "on",
          },
        ]}
      />
      <p class="actions">
        <button type="submit">{say(WORDS.save, language)}</button>
      </p>
    </form>
  );
}

interface AcceptedProps {
  projectId: string;
  accept: readonly ProjectAcceptance[];
  language: Language;
}

function Accepted({ projectId, accept, language }: AcceptedProps) {
  const head = [WORDS.rule, WORDS.pages, WORDS.until, WORDS.reason];
  return (
    <Table
      labelledBy="accepted"
      head={[...head.map((text) => say(text, language)), ""]}
      rows={accept.map(({ rule, pages, until, reason }) => ({
        key: `${rule} ${pages?.join(" ")}`,
        cells: [
          rule,
          pages === null
            ? say(WORDS.allPages, language)
            : oneLine(pages.join(", "), LONGEST_REASON),
          until,
          oneLine(reason, LONGEST_REASON),
          <ActionButton
            action={`${pathOfSettings(projectId, "gate")}/unaccept`}
            label={WORDS.unaccept}
            name={{ fr: `${WORDS.unaccept.fr} ${rule}`, en: `${WORDS.unaccept.en} ${rule}` }}
            sends={{ rule }}
            isPlain
            language={language}
          />,
        ],
      }))}
    />
  );
}

/** The gate of a project: its conditions, and the findings that it accepts. */
export function GateSection(props: GateProps) {
  const { projectId, gate, accepted, language } = props;
  const { values, problems } = accepted;
  const fields = [
    ["rule", WORDS.rule, undefined],
    ["reason", WORDS.reason, undefined],
    ["until", WORDS.until, WORDS.untilHint],
    ["page", WORDS.page, WORDS.pageHint],
  ] as const;
  return (
    <>
      <Section id="gate" title={say(WORDS.title, language)}>
        <p>{say(WORDS.lead, language)}</p>
        <Conditions {...props} />
      </Section>
      <Section id="accepted" title={say(WORDS.accepted, language)}>
        <p>{say(WORDS.acceptedLead, language)}</p>
        {gate.accept.length > 0 && (
          <Accepted projectId={projectId} accept={gate.accept} language={language} />
        )}
        <form
          method="post"
          action={`${pathOfSettings(projectId, "gate")}/accept#accepted`}
          data-once
        >
          {fields.map(([name, label, hint]) => (
            <Field
              name={name}
              label={say(label, language)}
              hint={hint && say(hint, language)}
              value={values[name] ?? ""}
              problem={problems[name]}
              {...(name === "until" && { type: "date" as const })}
            />
          ))}
          <p class="actions">
            <button type="submit">{say(WORDS.accept, language)}</button>
          </p>
        </form>
      </Section>
    </>
  );
}
