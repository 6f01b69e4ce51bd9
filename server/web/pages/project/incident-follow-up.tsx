import { say } from "../../../../shared/report/words.ts";
import { describeMs } from "../../kit/age.ts";
import { Field, Select } from "../../kit/components.tsx";
import { EMPTY } from "../../kit/forms.ts";
import { FactList, Section } from "../../kit/layout.tsx";
import { Moment } from "../../kit/time.tsx";
import type { IncidentProps } from "./incident-page.tsx";
import { WORDS } from "./incident-words.ts";

const SILENCE_HOURS = [1, 4, 12, 24, 72];

/** Who looks after an incident, and what they say about it. */
function Said({ incident, signedIn }: IncidentProps) {
  const { language, now } = signedIn;
  const { acknowledgedAt, acknowledgedBy, note, publicNote, silencedUntil } = incident;
  const by = acknowledgedBy === "operator" ? say(WORDS.operator, language) : acknowledgedBy;
  return (
    <FactList
      facts={[
        [
          WORDS.acknowledged,
          acknowledgedAt && [
            <Moment at={acknowledgedAt} reader={signedIn} />,
            by && `, ${by}`,
            note && ` · ${note}`,
          ],
        ],
        [
          WORDS.silenced,
          silencedUntil && silencedUntil > now && <Moment at={silencedUntil} reader={signedIn} />,
        ],
        [WORDS.published, publicNote],
      ]}
      language={language}
    />
  );
}

/** What people say about an incident, and the forms with which its owner says it. */
export function FollowUp(props: IncidentProps) {
  const { incident, signedIn, filled: { values, problems } = EMPTY } = props;
  const { language, now } = signedIn;
  const { id, isOwn, closedAt, acknowledgedAt, publicNote, silencedUntil } = incident;
  if (!isOwn && acknowledgedAt === null && publicNote === null) return null;
  const words = (name: keyof typeof WORDS) => say(WORDS[name], language);
  const button = (name: keyof typeof WORDS) => (
    <button type="submit" class="second">
      {words(name)}
    </button>
  );
  const action = `/incidents/${id}`;
  return (
    <Section id="follow-up" title={words("followUp")}>
      <Said {...props} />
      {isOwn && closedAt === null && (
        <>
          <form method="post" action={`${action}/ack`}>
            <Field
              name="note"
              label={words("note")}
              hint={words("ackHint")}
              value={values["note"]}
              problem={problems["note"]}
            >
              {button("ack")}
            </Field>
          </form>
          <form method="post" action={`${action}/silence`}>
            <Select
              name="duration"
              label={words("silenceFor")}
              hint={words("silenceHint")}
              value="1"
              options={SILENCE_HOURS.map((hours) => [
                String(hours),
                describeMs(hours * 3_600_000, language),
              ])}
            >
              {button("silence")}
            </Select>
          </form>
          {silencedUntil && silencedUntil > now && (
            <form method="post" action={`${action}/silence`}>
              <button type="submit" class="second" name="duration" value="0">
                {words("tellAgain")}
              </button>
            </form>
          )}
        </>
      )}
      {isOwn && (
        <form method="post" action={`${action}/publish`}>
          <Field
            name="text"
            label={words("publishNote")}
            hint={words("publishHint")}
            value={values["text"] ?? publicNote ?? ""}
            problem={problems["text"]}
          >
            {button("publish")}
          </Field>
        </form>
      )}
    </Section>
  );
}
