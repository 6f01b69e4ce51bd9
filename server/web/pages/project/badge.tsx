import { pathOfBadge, setBadge } from "../../../projects/badges.ts";
import { CopyField } from "../../kit/components.tsx";
import { Section } from "../../kit/layout.tsx";
import { T, useSay } from "../../kit/reader.tsx";
import { ActionButton } from "./parts.tsx";
import { pathOfSettings, type SettingsProps, type SettingsTab } from "./settings-forms.ts";
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
function Badge({ settings: { id, badgeId }, origin }: SettingsProps) {
  const isOn = badgeId !== null;
  return (
    <Section id="badge" title={WORDS.badge}>
      <p>
        <T text={isOn ? WORDS.badgeOn : WORDS.badgeOff} />
      </p>
      {isOn && <Addresses path={pathOfBadge(badgeId)} origin={origin} />}
      <ActionButton
        action={pathOfSettings(id, "badge")}
        label={isOn ? WORDS.switchOff : WORDS.switchOn}
        on={WORDS.ofBadge}
        sends={{ badge: isOn ? "off" : "on" }}
        isPlain={isOn}
      />
    </Section>
  );
}

export const BADGE_TAB: SettingsTab = {
  Content: Badge,
  addForms: (addForm, deps) =>
    addForm("", async ({ actor, project, fields }) => {
      const isOn = fields["badge"] === "on";
      await setBadge(deps, actor, project.id, isOn);
      return isOn ? "badge-on" : "badge-off";
    }),
};
