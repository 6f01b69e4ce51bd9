import { say } from "../../../../shared/report/words.ts";
import { quotaOfAccount } from "../../../checks/quota.ts";
import type { CheckRow } from "../../../db/checks/reports.ts";
import type { Language } from "../../../base/language.ts";
import { CHECK_NOW, FormKey } from "../../kit/check-now.tsx";
import { AddressField } from "../../kit/components.tsx";
import type { Filled } from "../../kit/forms.ts";
import type { ListDeclaration } from "../../kit/session/list-query.ts";
import { address, plain, score, time, verdict } from "../../kit/session/list-columns.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { describeLeft, FORM, LIST } from "./check-words.ts";

/** The API checks of an account. */
export const CHECK_LIST: ListDeclaration<CheckRow> = {
  name: "checks",
  hasVerdicts: true,
  order: "-at",
  columns: [
    address((id) => `/checks/${id}`),
    score,
    verdict,
    time("startedAt", LIST.when, "at"),
    {
      ...plain("id"),
      title: LIST.change,
      show: ({ id, url }, { language }) => {
        const text = say(LIST.compare, language);
        return (
          <a href={`/checks/compare?b=${id}`} aria-label={`${text} ${url}`}>
            {text}
          </a>
        );
      },
    },
  ],
};

export function NoChecks({ language }: { language: Language }) {
  return (
    <>
      <p>{say(LIST.empty, language)}</p>
      <pre>
        <code>shipscore check https://www.example.com/</code>
      </pre>
      <p class="soft">
        {say(LIST.emptyHint, language)} <a href="/settings/api">{say(LIST.settings, language)}</a>.
      </p>
    </>
  );
}

interface CheckFormProps {
  /** Slots used this month. */
  used: number;
  filled: Filled;
  signedIn: SignedInRequest;
}

/** Starts a check. */
export function CheckForm({ used, filled: { values, problems }, signedIn }: CheckFormProps) {
  const { language } = signedIn;
  const { remaining } = quotaOfAccount(signedIn, used);
  return (
    <form method="post" action="/checks">
      <AddressField
        name="url"
        label={say(FORM.field, language)}
        value={values["url"]}
        placeholder="https://www.example.com/"
        hint={say(describeLeft(remaining), language)}
        problem={problems["url"]}
      >
        <button type="submit">{say(CHECK_NOW, language)}</button>
      </AddressField>
      <label class="option">
        <input type="checkbox" name="preview" checked={values["preview"] === "on"} />{" "}
        {say(FORM.preview, language)}
      </label>
      <FormKey />
    </form>
  );
}
