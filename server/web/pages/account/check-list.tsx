import { useSay } from "../../kit/reader.tsx";
import { quotaOfAccount } from "../../../checks/quota.ts";
import type { CheckRow } from "../../../db/checks/reports.ts";
import { CHECK_NOW, FormKey } from "../../kit/check-now.tsx";
import { AddressField } from "../../kit/fields.tsx";
import { Form, useTyped } from "../../kit/form.tsx";
import type { ListDeclaration } from "../../kit/session/list-query.ts";
import { address, plain, score, time, verdict } from "../../kit/session/list-columns.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { describeLeft, FORM, LIST } from "./check-words.ts";

function CompareLink({ id, url }: { id: string; url: string }) {
  const text = useSay()(LIST.compare);
  return (
    <a href={`/checks/compare?b=${id}`} aria-label={`${text} ${url}`}>
      {text}
    </a>
  );
}

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
      show: (row) => <CompareLink {...row} />,
    },
  ],
};

export function NoChecks() {
  const say = useSay();
  return (
    <>
      <p>{say(LIST.empty)}</p>
      <pre>
        <code>shipscore check https://www.example.com/</code>
      </pre>
      <p class="soft">
        {say(LIST.emptyHint)} <a href="/settings/api">{say(LIST.settings)}</a>.
      </p>
    </>
  );
}

/** Starts a check. `used`: slots used this month. */
export function CheckForm({ used, signedIn }: { used: number; signedIn: SignedInRequest }) {
  return (
    <>
      <Form action="/checks">
        <CheckFields remaining={quotaOfAccount(signedIn, used).remaining} />
      </Form>
      <p class="lead">{useSay()(LIST.lead)}</p>
    </>
  );
}

function CheckFields({ remaining }: { remaining: number }) {
  const say = useSay();
  return (
    <>
      <AddressField
        name="url"
        label={FORM.field}
        placeholder="https://www.example.com/"
        hint={describeLeft(remaining)}
      >
        <button type="submit">{say(CHECK_NOW)}</button>
      </AddressField>
      <label class="option">
        <input type="checkbox" name="preview" checked={useTyped().values["preview"] === "on"} />{" "}
        {say(FORM.preview)}
      </label>
      <FormKey />
    </>
  );
}
