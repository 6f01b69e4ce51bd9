import { T, useReader, useSay } from "../../kit/reader.tsx";
import { describeMs, Moment } from "../../kit/time.tsx";
import { Field, Select, Form } from "../../kit/fields.tsx";
import { FactList, Section } from "../../kit/layout.tsx";
import type { IncidentProps } from "./incident-page.tsx";
import { WORDS } from "./incident-words.ts";

const SILENCE_HOURS = [1, 4, 12, 24, 72];

function FollowUpFacts({ incident }: IncidentProps) {
  const { now } = useReader();
  const say = useSay();
  const { acknowledgedAt, acknowledgedBy, note, publicNote, silencedUntil } = incident;
  const by = acknowledgedBy === "operator" ? say(WORDS.operator) : acknowledgedBy;
  return (
    <FactList
      facts={[
        [
          WORDS.acknowledged,
          acknowledgedAt && [<Moment at={acknowledgedAt} />, by && `, ${by}`, note && ` · ${note}`],
        ],
        [WORDS.silenced, silencedUntil && silencedUntil > now && <Moment at={silencedUntil} />],
        [WORDS.published, publicNote],
      ]}
    />
  );
}

export function FollowUp({ incident }: IncidentProps) {
  const { language, now } = useReader();
  const { id, isOwn, closedAt, acknowledgedAt, publicNote, silencedUntil } = incident;
  if (!isOwn && acknowledgedAt === null && publicNote === null) return null;
  const button = (name: keyof typeof WORDS, duration?: string) => (
    <button type="submit" class="second" name={duration && "duration"} value={duration}>
      <T text={WORDS[name]} />
    </button>
  );
  const action = `/incidents/${id}`;
  return (
    <Section id="follow-up" title={WORDS.followUp}>
      <FollowUpFacts incident={incident} />
      {isOwn && closedAt === null && (
        <>
          <Form action={`${action}/ack`}>
            <Field name="note" label={WORDS.note} hint={WORDS.ackHint}>
              {button("ack")}
            </Field>
          </Form>
          <Form action={`${action}/silence`}>
            <Select
              name="duration"
              label={WORDS.silenceFor}
              hint={WORDS.silenceHint}
              value="1"
              options={SILENCE_HOURS.map((hours) => [
                String(hours),
                describeMs(hours * 3_600_000, language),
              ])}
            >
              {button("silence")}
            </Select>
          </Form>
          {silencedUntil && silencedUntil > now && (
            <Form action={`${action}/silence`}>{button("unsilence", "0")}</Form>
          )}
        </>
      )}
      {isOwn && (
        <Form action={`${action}/publish`}>
          <Field
            name="text"
            label={WORDS.publishNote}
            hint={WORDS.publishHint}
            value={publicNote ?? ""}
          >
            {button("publish")}
          </Field>
        </Form>
      )}
    </Section>
  );
}
