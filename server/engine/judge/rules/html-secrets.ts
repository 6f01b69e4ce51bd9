import type { Language, Text } from "../../../base/language.ts";
import type { CredentialKind, Html } from "../../evidence/html.ts";
import { findWholeHtml } from "../../evidence/page.ts";
import { type Rule, fail, pageHtml, partial, pass } from "../rule.ts";
import { UNREAD_HTML } from "./html-document.ts";

const NAMES: Record<CredentialKind, Text> = {
  airtable_token: { fr: "jeton Airtable", en: "Airtable token" },
  anthropic_key: { fr: "clé d'API Anthropic", en: "Anthropic API key" },
  aws_key_id: { fr: "identifiant de clé AWS", en: "AWS access key ID" },
  aws_secret_key: { fr: "clé secrète AWS", en: "AWS secret access key" },
  database_password: {
    fr: "adresse de base de données avec mot de passe",
    en: "database URL with its password",
  },
  digitalocean_token: { fr: "jeton DigitalOcean", en: "DigitalOcean token" },
  discord_webhook: { fr: "webhook Discord", en: "Discord webhook" },
  github_token: { fr: "jeton GitHub", en: "GitHub token" },
  gitlab_token: { fr: "jeton GitLab", en: "GitLab token" },
  google_client_secret: { fr: "secret client Google OAuth", en: "Google OAuth client secret" },
  huggingface_token: { fr: "jeton Hugging Face", en: "Hugging Face token" },
  mapbox_secret_token: { fr: "jeton secret Mapbox", en: "Mapbox secret token" },
  npm_token: { fr: "jeton npm", en: "npm token" },
  openai_key: { fr: "clé d'API OpenAI", en: "OpenAI API key" },
  private_key: { fr: "clé privée", en: "private key" },
  pypi_token: { fr: "jeton PyPI", en: "PyPI token" },
  sendgrid_key: { fr: "clé d'API SendGrid", en: "SendGrid API key" },
  shipscore_token: { fr: "jeton shipscore", en: "shipscore token" },
  shopify_token: { fr: "jeton Shopify", en: "Shopify token" },
  slack_token: { fr: "jeton Slack", en: "Slack token" },
  slack_webhook: { fr: "webhook Slack", en: "Slack webhook" },
  stripe_key: { fr: "clé secrète Stripe", en: "Stripe secret key" },
  stripe_test_key: { fr: "clé secrète de test Stripe", en: "Stripe test secret key" },
  stripe_webhook_secret: { fr: "secret de webhook Stripe", en: "Stripe webhook secret" },
  supabase_secret_key: {
    fr: "clé service_role ou secrète Supabase",
    en: "Supabase service_role or secret key",
  },
  telegram_bot_token: { fr: "jeton de bot Telegram", en: "Telegram bot token" },
};

/** Gives access to nothing important: test data, or a name whose secret is kept elsewhere. */
const LESSER: readonly CredentialKind[] = ["aws_key_id", "stripe_test_key"];
const LINE = { fr: "ligne", en: "line" };

function describe(credentials: Html["credentials"]): Text {
  const list = (language: Language): string =>
    credentials
      .map(({ kind, line }) => `${NAMES[kind][language]} (${LINE[language]} ${line})`)
      .join(", ");
  return {
    fr: `Dans les scripts de la page : ${list("fr")}.`,
    en: `In the page's scripts: ${list("en")}.`,
  };
}

export const credentials: Rule = {
  id: "html.secrets",
  title: { fr: "Aucun secret dans la page", en: "No secret in the page" },
  measures: {
    fr: "Les scripts écrits dans la page, données comprises, ne contiennent ni clé privée, ni clé ou jeton secret d'un format connu, ni adresse de base de données avec son mot de passe ; une clé de test Stripe ou un identifiant de clé AWS seul vaut la moitié. Les clés faites pour être publiées (pk_live_, AIza…, clé anon de Supabase) ne comptent pas.",
    en: "The page's inline scripts, data included, hold no private key, no secret key or token of a known format, and no database URL with its password; a Stripe test key or an AWS access key ID alone is worth half. Keys that are made to be published (pk_live_, AIza…, Supabase's anon key) do not count.",
  },
  matters: {
    fr: "Quiconque ouvre la page peut s'en servir : des robots les relèvent en quelques minutes.",
    en: "Anyone who opens the page can use it, and bots collect such keys within minutes.",
  },
  fix: {
    fr: "Révoquez ce secret dès maintenant, créez-en un autre, et n'appelez ce service que depuis votre serveur.",
    en: "Revoke this secret now, create another, and call that service only from your server.",
  },
  standard: { name: "CWE-540", url: "https://cwe.mitre.org/data/definitions/540.html" },
  capReason: {
    fr: "Un script de la page contient un secret que quiconque peut lire et utiliser.",
    en: "A script of the page holds a secret that anyone can read and use.",
  },
  parents: pageHtml,
  judge(evidence) {
    const found = evidence.page.body?.html?.credentials ?? [];
    const grave = found.filter(({ kind }) => !LESSER.includes(kind));
    if (grave.length > 0) return fail(describe(grave));
    const html = findWholeHtml(evidence);
    if (!html) return UNREAD_HTML;
    if (found.length > 0)
      return partial("lesser", describe(found), {
        fr: "Retirez-le de la page : ce qui s'en sert doit tourner sur votre serveur.",
        en: "Remove it from the page: what uses it belongs on your server.",
      });
    return pass({
      fr: "Aucun secret d'un format connu dans les scripts de la page.",
      en: "No secret of a known format in the page's scripts.",
    });
  },
};
