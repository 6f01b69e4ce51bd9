import type { Evidence } from "../../evidence/evidence.ts";
import type { Form } from "../../evidence/html.ts";
import { urlOf } from "../../evidence/page.ts";
import { describeReferences } from "./references.ts";
import { type Judgement, fail } from "../rule.ts";

function formsOf(evidence: Evidence): readonly Form[] {
  return evidence.page.body?.html?.forms ?? [];
}

/** The forms that are sent over http. */
export function findPlainForms(evidence: Evidence): Form[] {
  return formsOf(evidence).filter(({ url }) => urlOf(url).protocol === "http:");
}

/**
 * Whether the form sends a password in the URL. A form without a method is ignored if a script may send it: many have
 * a handler that the HTML does not show.
 */
function putsPasswordInUrl(
  { method, hasPassword, hasHandler }: Form,
  hasScripts: boolean,
): boolean {
  return hasPassword && !hasHandler && (method === "get" || (method === null && !hasScripts));
}

/**
 * The judgement of a page with a form that sends what is typed where others can read it; undefined without one.
 * @param plain the forms that are sent over http, upgrades taken into account
 */
export function findExposedForm(evidence: Evidence, plain: readonly Form[]): Judgement | undefined {
  const hasScripts = (evidence.page.body?.html?.scriptCount ?? 0) > 0;
  const inUrl = formsOf(evidence).filter((form) => putsPasswordInUrl(form, hasScripts));
  if (inUrl.length > 0) {
    return fail(
      describeReferences(inUrl, {
        fr: "Mot de passe envoyé dans l'adresse (GET)",
        en: "Password sent in the address (GET)",
      }),
      {
        fr: 'Donnez method="post" au formulaire : une adresse reste dans l\'historique du navigateur et dans les journaux du serveur.',
        en: "Give the form method=\"post\": an address stays in the browser's history and in the server's logs.",
      },
    );
  }
  const posted = plain.filter(({ method, hasPassword }) => method === "post" || hasPassword);
  if (posted.length === 0) return undefined;
  return fail(
    describeReferences(posted, { fr: "Formulaire envoyé en http", en: "Form sent over http" }),
    { fr: "Envoyez le formulaire à une adresse https.", en: "Send the form to an https address." },
  );
}
