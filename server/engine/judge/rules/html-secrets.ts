import type { Language, Text } from "../../../base/language.ts";
import type { CredentialKind, Html } from "../../evidence/html.ts";
import { findWholeHtml } from "../../evidence/page.ts";
import { type Rule, fail, pageHtml, partial, pass, text } from "../rule.ts";
import { UNREAD_HTML } from "./html-document.ts";

const NAMES: Record<CredentialKind, Text> = {
  airtable_token: text("jeton Airtable", "Airtable token"),
  anthropic_key: text("clé d'API Anthropic", "Anthropic API key"),
  aws_key_id: text("identifiant de clé AWS", "AWS access key ID"),
  aws_secret_key: text("clé secrète AWS", "AWS secret access key"),
  database_password: text(
    "adresse de base de données avec mot de passe",
    "database URL with its password",
  ),
  digitalocean_token: text("jeton DigitalOcean", "DigitalOcean token"),
  discord_webhook: text("webhook Discord", "Discord webhook"),
  github_token: text("jeton GitHub", "GitHub token"),
  gitlab_token: text("jeton GitLab", "GitLab token"),
  google_client_secret: text("secret client Google OAuth", "Google OAuth client secret"),
  huggingface_token: text("jeton Hugging Face", "Hugging Face token"),
  mapbox_secret_token: text("jeton secret Mapbox", "Mapbox secret token"),
  npm_token: text("jeton npm", "npm token"),
  openai_key: text("clé d'API OpenAI", "OpenAI API key"),
  private_key: text("clé privée", "private key"),
  pypi_token: text("jeton PyPI", "PyPI token"),
  sendgrid_key: text("clé d'API SendGrid", "SendGrid API key"),
  shipscore_token: text("jeton shipscore", "shipscore token"),
  shopify_token: text("jeton Shopify", "Shopify token"),
  slack_token: text("jeton Slack", "Slack token"),
  slack_webhook: text("webhook Slack", "Slack webhook"),
  stripe_key: text("clé secrète Stripe", "Stripe secret key"),
  stripe_test_key: text("clé secrète de test Stripe", "Stripe test secret key"),
  stripe_webhook_secret: text("secret de webhook Stripe", "Stripe webhook secret"),
  supabase_secret_key: text(
    "clé service_role ou secrète Supabase",
    "Supabase service_role or secret key",
  ),
  telegram_bot_token: text("jeton de bot Telegram", "Telegram bot token"),
};

/** Gives access to nothing important: test data, or a name whose secret is kept elsewhere. */
const LESSER: readonly CredentialKind[] = ["aws_key_id", "stripe_test_key"];
const LINE = text("ligne", "line");

function describe(credentials: Html["credentials"]): Text {
  const list = (language: Language): string =>
    credentials
      .map(({ kind, line }) => `${NAMES[kind][language]} (${LINE[language]} ${line})`)
      .join(", ");
  return text(
    `Dans les scripts de la page : ${list("fr")}.`,
    `In the page's scripts: ${list("en")}.`,
  );
}

export const credentials: Rule = {
  id: "html.secrets",
  title: text("Aucun secret dans la page", "No secret in the page"),
  measures: text(
    "Les scripts écrits dans la page, données comprises, ne contiennent ni clé privée, ni clé ou jeton secret d'un format connu, ni adresse de base de données avec son mot de passe ; une clé de test Stripe ou un identifiant de clé AWS seul vaut la moitié. Les clés faites pour être publiées (pk_live_, AIza…, clé anon de Supabase) ne comptent pas.",
    "The page's inline scripts, data included, hold no private key, no secret key or token of a known format, and no database URL with its password; a Stripe test key or an AWS access key ID alone is worth half. Keys that are made to be published (pk_live_, AIza…, Supabase's anon key) do not count.",
  ),
  matters: text(
    "Quiconque ouvre la page peut s'en servir : des robots les relèvent en quelques minutes.",
    "Anyone who opens the page can use it, and bots collect such keys within minutes.",
  ),
  fix: text(
    "Révoquez ce secret dès maintenant, créez-en un autre, et n'appelez ce service que depuis votre serveur.",
    "Revoke this secret now, create another, and call that service only from your server.",
  ),
  standard: { name: "CWE-540", url: "https://cwe.mitre.org/data/definitions/540.html" },
  capReason: text(
    "Un script de la page contient un secret que quiconque peut lire et utiliser.",
    "A script of the page holds a secret that anyone can read and use.",
  ),
  parents: pageHtml,
  judge(evidence) {
    const found = evidence.page.body?.html?.credentials ?? [];
    const grave = found.filter(({ kind }) => !LESSER.includes(kind));
    if (grave.length > 0) return fail(describe(grave));
    const html = findWholeHtml(evidence);
    if (!html) return UNREAD_HTML;
    if (found.length > 0)
      return partial(
        "lesser",
        describe(found),
        text(
          "Retirez-le de la page : ce qui s'en sert doit tourner sur votre serveur.",
          "Remove it from the page: what uses it belongs on your server.",
        ),
      );
    return pass(
      text(
        "Aucun secret d'un format connu dans les scripts de la page.",
        "No secret of a known format in the page's scripts.",
      ),
    );
  },
};
