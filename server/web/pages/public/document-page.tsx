import { T } from "../../kit/reader.tsx";
import { readFile } from "node:fs/promises";
import { LANGUAGES, type Language, type Text } from "../../../../shared/language.ts";
import { typeset } from "../../../../shared/report/words.ts";
import { DOCUMENTS_FILE } from "../../../base/program.ts";
import { renderDocument, type Site } from "../../kit/document.tsx";
import type { Reader } from "../../kit/reader.tsx";

/** The documents of docs/ that are pages, below /docs/. */
export const DOCUMENTS: Readonly<Record<"ci" | "alerts" | "mcp", Record<"title" | "about", Text>>> =
  {
    ci: {
      title: { fr: "shipscore en intégration continue", en: "shipscore in CI" },
      about: {
        fr: "Vérifier chaque aperçu et chaque déploiement avec GitHub, GitLab, Jenkins et d'autres, et signaler les déploiements.",
        en: "How to check each preview and each deployment with GitHub, GitLab, Jenkins and others, and how to report deployments.",
      },
    },
    alerts: {
      title: { fr: "Alertes de shipscore", en: "shipscore alerts" },
      about: {
        fr: "Ce qu'une alerte envoie aux webhooks, aux messageries et aux boîtes e-mail, et comment vérifier sa signature.",
        en: "What an alert sends to webhooks, chats and mailboxes, and how to verify its signature.",
      },
    },
    mcp: {
      title: { fr: "shipscore dans un assistant", en: "shipscore in an assistant" },
      about: {
        fr: "Connecter shipscore à Claude Code, Cursor, VS Code, Codex ou un autre client du Model Context Protocol.",
        en: "How to connect shipscore to Claude Code, Cursor, VS Code, Codex or another client of the Model Context Protocol.",
      },
    },
  };

const ENGLISH_ONLY: Text = {
  fr: "Cette page n'existe qu'en anglais.",
  en: "This page exists in English only.",
};
/** The documents name this server as an example. */
const EXAMPLE = "https://shipscore.example.com";
const MARKUP_OR_TEXT = /<(pre|code)\b[^]*?<\/\1>|<[^>]*>|[^<]+/g;

const typesetProse = (html: string, language: Language): string =>
  html.replaceAll(MARKUP_OR_TEXT, (part) =>
    part.startsWith("<") ? part : typeset(part, language),
  );

type Built = Readonly<Record<keyof typeof DOCUMENTS, Partial<Record<Language, string>>>>;

export async function renderDocumentPage(
  name: keyof typeof DOCUMENTS,
  reader: Reader,
  site: Site,
): Promise<string> {
  const built = (JSON.parse(await readFile(DOCUMENTS_FILE, "utf8")) as Built)[name];
  const language = LANGUAGES.find((one) => one === reader.language && one in built) ?? "en";
  const html = (built[language] ?? "").replaceAll(EXAMPLE, site.origin ?? EXAMPLE);
  const { title, about } = DOCUMENTS[name];
  return renderDocument({
    ...reader,
    title,
    description: about,
    site,
    children: (
      <>
        {language !== reader.language && (
          <p class="soft">
            <T text={ENGLISH_ONLY} />
          </p>
        )}
        <article
          class="doc"
          lang={language}
          dangerouslySetInnerHTML={{ __html: typesetProse(html, language) }}
        />
      </>
    ),
  });
}
