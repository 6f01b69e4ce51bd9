import { T } from "../../kit/reader.tsx";
import type { Text } from "../../../../shared/language.ts";
import { CopyButton } from "../../kit/components.tsx";
import { Section } from "../../kit/layout.tsx";

interface ExamplesProps {
  origin: string;
  /** Whether the plan includes the MCP server. */
  hasAssistants: boolean;
}

interface Example {
  id: string;
  title: Text;
  before: Text;
  code: string;
}

const TITLE: Text = { fr: "Exemples à coller", en: "Examples to paste" };

const LEAD: Text = {
  fr: "Aucun de ces exemples ne contient le jeton : celui-ci reste dans l'environnement, hors des fichiers et de l'historique.",
  en: "None of them contains the token: it stays in the environment, out of files and the shell history.",
};

const examplesOf = ({ origin, hasAssistants }: ExamplesProps): readonly Example[] => [
  {
    id: "shell",
    title: { fr: "Dans un terminal, d'abord", en: "In a terminal, first" },
    before: {
      fr: "Collez ces lignes, puis le jeton ; il ne s'affiche pas. Terminez par Entrée.",
      en: "Paste these lines, then the token, which is not shown. Press Enter.",
    },
    code: `export SHIPSCORE_URL=${origin}\nread -rs SHIPSCORE_TOKEN && export SHIPSCORE_TOKEN`,
  },
  {
    id: "command",
    title: { fr: "La commande", en: "The command" },
    before: {
      fr: "Vérifie une page ; renvoie le code 1 si son score est inférieur à 80.",
      en: "Checks a page; exits with 1 if its score is below 80.",
    },
    code: "shipscore check https://example.com/ --min-score 80",
  },
  {
    id: "curl",
    title: { fr: "curl", en: "curl" },
    before: { fr: "La même vérification, en JSON.", en: "The same check, as JSON." },
    code: [
      `curl ${origin}/api/v1/check \\`,
      `  --header "Authorization: Bearer $SHIPSCORE_TOKEN" \\`,
      `  --header "Content-Type: application/json" \\`,
      `  --data '{"url":"https://example.com/"}'`,
    ].join("\n"),
  },
  {
    id: "ci",
    title: { fr: "GitHub Actions", en: "GitHub Actions" },
    before: {
      fr: "Une étape d'un workflow où la commande est installée. Enregistrez d'abord le jeton comme secret : gh secret set SHIPSCORE_TOKEN",
      en: "A step of a workflow in which the command is installed. Store the token as a secret first: gh secret set SHIPSCORE_TOKEN",
    },
    code: [
      "- run: shipscore check https://example.com/ --min-score 80",
      "  env:",
      `    SHIPSCORE_URL: ${origin}`,
      "    SHIPSCORE_TOKEN: ${{ secrets.SHIPSCORE_TOKEN }}",
    ].join("\n"),
  },
  ...(hasAssistants ? [assistantExample(origin)] : []),
];

function assistantExample(origin: string): Example {
  const headers = { Authorization: "Bearer ${SHIPSCORE_TOKEN}" };
  const shipscore = { type: "http", url: `${origin}/mcp`, headers };
  return {
    id: "assistant",
    title: { fr: "Un assistant (MCP)", en: "An assistant (MCP)" },
    before: {
      fr: `Pour Claude Code, dans .mcp.json ; il lit le jeton dans l'environnement. Les autres clients utilisent l'URL ${origin}/mcp et l'en-tête Authorization.`,
      en: `For Claude Code, in .mcp.json; it reads the token from the environment. Other clients use the URL ${origin}/mcp and the Authorization header.`,
    },
    code: JSON.stringify({ mcpServers: { shipscore } }, undefined, 2),
  };
}

export function Examples(props: ExamplesProps) {
  return (
    <Section id="examples" title={TITLE}>
      <p>
        <T text={LEAD} />
      </p>
      {examplesOf(props).map(({ id, title, before, code }) => (
        <div class="rule" key={id}>
          <h3>
            <T text={title} />
          </h3>
          <p>
            <T text={before} />
          </p>
          <pre>
            <code id={`example-${id}`}>{code}</code>
          </pre>
          <CopyButton of={`example-${id}`} name={title} />
        </div>
      ))}
    </Section>
  );
}
