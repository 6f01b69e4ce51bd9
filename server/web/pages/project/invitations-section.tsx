import { say } from "../../../../shared/report/words.ts";
import type { Offer } from "../../../db/projects/invitations.ts";
import { Section } from "../../kit/layout.tsx";
import { Table } from "../../kit/table.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { ActionButton } from "./action-button.tsx";
import { nameButton, OFFERS, MEMBERS } from "./members-words.ts";
import { nameProject } from "./parts.tsx";

interface OffersProps {
  offers: readonly Offer[];
  signedIn: SignedInRequest;
}

const PATHS: Readonly<Record<Offer["of"], (projectId: string) => string>> = {
  membership: (projectId) => `/invitations/${projectId}`,
  ownership: (projectId) => `/projects/${projectId}/hand-over`,
};

function Answers({ offer, signedIn: { language } }: { offer: Offer; signedIn: SignedInRequest }) {
  const path = PATHS[offer.of](offer.projectId);
  const name = nameProject(offer.projectName);
  return (
    <>
      {(["accept", "decline"] as const).map((answer) => (
        <ActionButton
          key={answer}
          action={`${path}/${answer}`}
          label={MEMBERS[answer]}
          name={nameButton[answer](name)}
          isPlain={answer === "decline"}
          language={language}
        />
      ))}
    </>
  );
}

/** The invitations and offers that the signed-in person may answer; nothing if there are none. */
export function Offers({ offers, signedIn }: OffersProps) {
  const { language } = signedIn;
  if (offers.length === 0) return null;
  return (
    <Section id="invitations" title={say(OFFERS.title, language)}>
      <Table
        labelledBy="invitations"
        head={[say(OFFERS.project, language), say(OFFERS.what, language), ""]}
        rows={offers.map((offer) => ({
          key: `${offer.of} ${offer.projectId}`,
          cells: [
            nameProject(offer.projectName),
            `${offer.by} ${say(OFFERS[offer.of], language)}`,
            <Answers offer={offer} signedIn={signedIn} />,
          ],
        }))}
      />
    </Section>
  );
}
