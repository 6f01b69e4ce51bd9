import { useSay } from "../../kit/reader.tsx";
import type { Offer } from "../../../db/projects/invitations.ts";
import { Section } from "../../kit/layout.tsx";
import { Table } from "../../kit/table.tsx";
import { ActionButton } from "./action-button.tsx";
import { OFFERS, MEMBERS } from "./members-words.ts";
import { nameProject } from "./parts.tsx";

const PATHS: Readonly<Record<Offer["of"], (projectId: string) => string>> = {
  membership: (projectId) => `/invitations/${projectId}`,
  ownership: (projectId) => `/projects/${projectId}/hand-over`,
};

function Answers({ offer }: { offer: Offer }) {
  const path = PATHS[offer.of](offer.projectId);
  const name = nameProject(offer.projectName);
  return (
    <>
      {(["accept", "decline"] as const).map((answer) => (
        <ActionButton
          key={answer}
          action={`${path}/${answer}`}
          label={MEMBERS[answer]}
          on={name}
          isPlain={answer === "decline"}
        />
      ))}
    </>
  );
}

/** The invitations and offers that the signed-in person may answer; nothing if there are none. */
export function Offers({ offers }: { offers: readonly Offer[] }) {
  const say = useSay();
  if (offers.length === 0) return null;
  return (
    <Section id="invitations" title={OFFERS.title}>
      <Table
        labelledBy="invitations"
        head={[OFFERS.project, OFFERS.what, ""]}
        rows={offers.map((offer) => ({
          key: `${offer.of} ${offer.projectId}`,
          cells: [
            nameProject(offer.projectName),
            `${offer.by} ${say(OFFERS[offer.of])}`,
            <Answers offer={offer} />,
          ],
        }))}
      />
    </Section>
  );
}
