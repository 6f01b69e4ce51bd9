import type { Language, Text } from "../../../../shared/language.ts";
import { type Credential, CREDENTIAL_KINDS } from "../../evidence/html.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { findWholeHtml, urlOf } from "../../evidence/accessors.ts";
import { describeTested } from "../facts/tested.ts";
import { type Rule, cut, fail, pageHtml, partial, pass } from "../rule.ts";
import { UNREAD_HTML } from "./html-document.ts";

/** These keys expose little: one gives access to test data, the other is only the name of a secret. */
const LESSER: readonly string[] = ["aws_key_id", "stripe_test_key"];
const LINE = { fr: "ligne", en: "line" };

interface Found extends Credential {
  readonly file?: string;
}

function listFound({ page, assets }: Evidence): Found[] {
  const inFiles = assets.flatMap(({ url, file }) =>
    (file?.credentials ?? []).map((credential) => ({ ...credential, file: url })),
  );
  return [...(page.body?.html?.credentials ?? []), ...inFiles];
}

function describe(found: readonly Found[]): Text {
  const list = (language: Language): string =>
    found
      .map(({ kind, line, file }) => {
        const name = CREDENTIAL_KINDS[kind]?.[language] ?? kind;
        const position = `${LINE[language]} ${line}`;
        return `${name} (${file === undefined ? position : `${cut(urlOf(file).pathname, 60)}, ${position}`})`;
      })
      .join(", ");
  return {
    fr: `Secrets visibles de tous : ${cut(list("fr"), 250)}.`,
    en: `Secrets that anyone can see: ${cut(list("en"), 250)}.`,
  };
}

export const credentials: Rule = {
  id: "html.secrets",
  title: { fr: "Secrets dans la page", en: "Secrets in the page" },
  measures: {
    fr: "La page et le début (512 Kio) de ses propres scripts et feuilles de style ne contiennent aucun secret : clé privée, clé ou jeton d'un format connu, URL avec un mot de passe. Une clé de test Stripe, un identifiant de clé AWS seul, ou un secret que la page affiche sous forme de texte, comme un exemple, coûte la moitié des points. Les clés destinées à être publiques (pk_live_, AIza…, clé anon de Supabase) et les exemples que publient les fournisseurs ne comptent pas.",
    en: "The page and the beginning (512 KiB) of its own scripts and style sheets contain no secret. Secrets are a private key, a key or token of a known format, or a URL with a password. A Stripe test key, an AWS access key ID alone, or a secret shown as text, like an example, earns half the points. Keys meant to be public (pk_live_, AIza…, Supabase's anon key) and examples that vendors publish do not count.",
  },
  why: {
    fr: "N'importe quel visiteur peut utiliser ces secrets, et des robots les collectent en quelques minutes.",
    en: "Anyone who opens the page can use these secrets, and bots collect them within minutes.",
  },
  fix: {
    fr: "Révoquez ce secret immédiatement, créez-en un autre, et n'appelez ce service que depuis votre serveur.",
    en: "Revoke this secret immediately, create another, and call this service only from your server.",
  },
  standard: { name: "CWE-540", url: "https://cwe.mitre.org/data/definitions/540.html" },
  capReason: {
    fr: "La page ou l'un de ses fichiers contient un secret que n'importe qui peut lire et utiliser.",
    en: "The page or one of its files contains a secret that anyone can read and use.",
  },
  parents: pageHtml,
  judge(evidence) {
    const found = listFound(evidence);
    const open = found.filter(({ kind, isShown }) => !isShown && !LESSER.includes(kind));
    if (open.length > 0) return fail(describe(open));
    if (!findWholeHtml(evidence)) return UNREAD_HTML;
    const shown = found.filter(({ kind }) => !LESSER.includes(kind));
    if (shown.length > 0)
      return partial("shown", describe(shown), {
        fr: "Si ce texte est un exemple, écrivez-y un mot comme EXAMPLE. Sinon, révoquez ce secret et retirez-le de la page.",
        en: "If this text is an example, write a word such as EXAMPLE in it. Otherwise, revoke this secret and remove it from the page.",
      });
    if (found.length > 0)
      return partial("lesser", describe(found), {
        fr: "Retirez cette clé de la page : ce qui l'utilise doit s'exécuter sur votre serveur.",
        en: "Remove this key from the page: what uses it has to run on your server.",
      });
    const files = evidence.assets.filter(({ file }) => file).length;
    const read = describeTested(files, evidence.assetCount);
    return pass({
      fr: `Aucun secret d'un format connu, ni dans la page ni dans les fichiers lus (${read.fr}).`,
      en: `No secret of a known format in the page or in the files read (${read.en}).`,
    });
  },
};
