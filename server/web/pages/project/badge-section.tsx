import { pathOfBadge } from "../../../projects/badges.ts";
import { CopyField } from "../../kit/components.tsx";
import { Section } from "../../kit/layout.tsx";
import { useSay } from "../../kit/reader.tsx";
import { pathOfSettings, type SettingsProps } from "./settings-forms.ts";
import { WORDS } from "./settings-words.ts";

function Addresses({ path, origin }: { path: string; origin: string }) {
  const address = `${origin}${path}`;
  return (
    <>
      <p>
        <img src={path} alt={useSay()(WORDS.badgeAlt)} height={20} />
      </p>
      <CopyField id="badge-address" label={WORDS.badgeAddress} value={address} />
      <CopyField
        id="badge-markdown"
        label={WORDS.badgeMarkdown}
        value={`![Ship Score](${address})`}
      />
    </>
  );
}

/** The badge of a project, with its address, and how it is switched on and off. */
export function BadgeSection({ settings: { id, badgeId }, origin }: SettingsProps) {
  const say = useSay();
  const isOn = badgeId !== null;
  const button = say(isOn ? WORDS.switchOff : WORDS.switchOn);
  return (
    <Section id="badge" title={WORDS.badge}>
      {isOn && <Addresses path={pathOfBadge(badgeId)} origin={origin} />}
      <p>{say(isOn ? WORDS.badgeOn : WORDS.badgeOff)}</p>
      <form method="post" action={pathOfSettings(id, "badge")}>
        <input type="hidden" name="badge" value={isOn ? "off" : "on"} />
        <button type="submit" class="second" aria-label={`${button} ${say(WORDS.ofBadge)}`}>
          {button}
        </button>
      </form>
    </Section>
  );
}
