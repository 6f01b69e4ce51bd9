import { say } from "../../../../shared/report/words.ts";
import type { ProjectSettings } from "../../../db/projects/project-settings.ts";
import type { Language } from "../../../base/language.ts";
import { pathOfBadge } from "../../../projects/badges.ts";
import { CopyField } from "../../kit/components.tsx";
import { CopyButton } from "../../kit/copy.tsx";
import { Section } from "../../kit/layout.tsx";
import { pathOfSettings } from "./settings-forms.ts";
import { WORDS } from "./settings-words.ts";

interface BadgeSectionProps {
  settings: ProjectSettings;
  /** The server's own origin. */
  origin: string;
  language: Language;
}

function Addresses({
  path,
  origin,
  language,
}: { path: string } & Omit<BadgeSectionProps, "settings">) {
  const fields = [
    { id: "badge-address", label: WORDS.badgeAddress, value: `${origin}${path}` },
    { id: "badge-markdown", label: WORDS.badgeMarkdown, value: `![Ship Score](${origin}${path})` },
  ];
  return (
    <>
      <p>
        <img src={path} alt={say(WORDS.badgeAlt, language)} height={20} />
      </p>
      {fields.map(({ id, label, value }) => (
        <CopyField id={id} label={say(label, language)} value={value}>
          <CopyButton of={id} name={say(label, language)} language={language} />
        </CopyField>
      ))}
    </>
  );
}

/** The badge of a project, with its address, and how it is switched on and off. */
export function BadgeSection({ settings: { id, badgeId }, origin, language }: BadgeSectionProps) {
  const isOn = badgeId !== null;
  const button = say(isOn ? WORDS.switchOff : WORDS.switchOn, language);
  return (
    <Section id="badge" title={say(WORDS.badge, language)}>
      {isOn && <Addresses path={pathOfBadge(badgeId)} origin={origin} language={language} />}
      <p>{say(isOn ? WORDS.badgeOn : WORDS.badgeOff, language)}</p>
      <form method="post" action={pathOfSettings(id, "badge")}>
        <input type="hidden" name="badge" value={isOn ? "off" : "on"} />
        <button
          type="submit"
          class="second"
          aria-label={`${button} ${say(WORDS.ofBadge, language)}`}
        >
          {button}
        </button>
      </form>
    </Section>
  );
}
