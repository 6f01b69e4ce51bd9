import { useSay } from "../../kit/reader.tsx";
import { describeDoer, describeNotice } from "../../../access/notice-letters.ts";
import type { Notice as Told } from "../../../db/accounts/notices.ts";
import { Notice } from "../../kit/components.tsx";
import { Time } from "../../kit/time.tsx";

const WORDS = {
  lead: {
    fr: "Si l'une de ces lignes n'est pas de vous, changez tout de suite votre mot de passe, puis révoquez ce que vous ne reconnaissez pas.",
    en: "If one of these was not you, change your password at once, then revoke what you do not recognise.",
  },
  dismiss: { fr: "C'était bien moi", en: "This was me" },
};

/** What may have harmed the account lately, until its person says that it was them. */
export function Notices({ notices }: { notices: readonly Told[] }) {
  const say = useSay();
  const newest = notices.at(-1);
  if (newest === undefined) return null;
  return (
    <Notice tone="warn">
      <ul>
        {notices.map((notice) => (
          <li key={notice.id}>
            {say(describeNotice(notice))}, <Time at={notice.at} />, {say(describeDoer(notice))}
          </li>
        ))}
      </ul>
      <p>{say(WORDS.lead)}</p>
      <form method="post" action="/settings/account/notices">
        <input type="hidden" name="up_to" value={newest.id} />
        <button type="submit" class="second">
          {say(WORDS.dismiss)}
        </button>
      </form>
    </Notice>
  );
}
