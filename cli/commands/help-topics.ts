import type { Language, Text } from "../../shared/language.ts";
import { say } from "../../shared/report/words.ts";
import { EXIT, EXIT_MEANINGS, type ExitCode } from "../terminal/exit-codes.ts";
import { untranslated } from "../terminal/errors.ts";
import {
  formatEntries,
  formatExamples,
  formatParts,
  type HelpEntry,
  type HelpPart,
} from "../terminal/help.ts";
import { FORMATS, type Format } from "../reports/formats.ts";
import { COLUMNS } from "../views/rows.ts";

interface Topic {
  readonly title: Text;
  readonly examples: readonly string[];
  readonly parts: readonly HelpPart[];
}

function formatTopic({ title, examples, parts }: Topic, language: Language): string {
  return `${say(title, language)}

${formatExamples(examples, language)}
${formatParts(parts, language)}
`;
}

const CI_FLAGS: readonly HelpEntry[] = [
  [
    "--wait-for-ready 120",
    {
      fr: "attendre d'abord un aperçu en cours de déploiement",
      en: "first wait for a preview that is being deployed",
    },
  ],
  [
    "--as URL",
    {
      fr: "rapporter les constats sous cette URL stable",
      en: "report the findings under this stable URL",
    },
  ],
  [
    "SHIPSCORE_TARGET_HEADERS",
    {
      fr: "les en-têtes qui ouvrent un aperçu protégé ; ils sont aussi secrets que le jeton (« shipscore help environment »)",
      en: "the headers that open a protected preview; they are as secret as the token ('shipscore help environment')",
    },
  ],
  [
    "SHIPSCORE_TARGET_ORIGIN",
    {
      fr: "l'origine de cet aperçu, si seul shipscore.json l'indique",
      en: "the origin of that preview, if it is set only in shipscore.json",
    },
  ],
];

export const formatCi = (language: Language): string =>
  formatTopic(
    {
      title: { fr: "En CI", en: "In CI" },
      examples: [
        'shipscore check "$PREVIEW_URL" --preview --min-score 80',
        "shipscore-server exec -- \\",
        '  shipscore check "$PREVIEW_URL" --preview --min-score 80',
      ],
      parts: [
        {
          fr: "La tâche a besoin de la commande (docs/install.md) et de deux variables ; la seconde est un secret de la CI :",
          en: "The job needs the command (docs/install.md) and two variables; the second is a secret of the CI system:",
        },
        `  SHIPSCORE_URL=https://shipscore.example.com
  SHIPSCORE_TOKEN=psk_...`,
        {
          fr: "Sans serveur, le second exemple en démarre un le temps de la commande, avec son propre jeton.",
          en: "The second example needs no server: it starts one for the duration of the command, with its own token.",
        },
        {
          fr: "La tâche échoue avec le code 1 quand une condition n'est pas remplie, et avec le code 4 quand la page n'a pas pu être évaluée. En l'absence de réponse, elle échoue avec un autre code (« shipscore help exit-codes »). Le rapport complet est écrit sur stderr ; stdout contient une ligne destinée aux scripts. -q n'affiche que le résultat des conditions et les erreurs.",
          en: "The job fails with 1 when a condition is not met, and with 4 when the page could not be assessed. Other codes mean that there was no usable response ('shipscore help exit-codes'). The full report is on stderr; stdout has one row for scripts. -q prints only the gate's result and errors.",
        },
        {
          fr: "Pour un site qui n'est pas encore au niveau, commencez par des conditions qui ne portent que sur les nouveaux constats. Enregistrez le résultat de la branche par défaut, et comparez-lui chaque aperçu.",
          en: "If a site does not pass yet, start with a gate on new findings: save the default branch's result, and compare each preview with it.",
        },
        `  shipscore check https://example.com/ --save main.json
  shipscore check "$PREVIEW_URL" --preview --as https://example.com/ \\
    --baseline main.json --fail-on-new`,
        formatEntries(CI_FLAGS, language, 24),
        {
          fr: "Le fichier docs/ci.md du paquet contient des configurations à copier : GitHub Actions, GitLab CI, Jenkins, CircleCI, Buildkite, Azure Pipelines, un hook git, cron.",
          en: "docs/ci.md in the package has setups to copy: GitHub Actions, GitLab CI, Jenkins, CircleCI, Buildkite, Azure Pipelines, a git hook, cron.",
        },
      ],
    },
    language,
  );

const VARIABLES: readonly HelpEntry[] = [
  [
    "SHIPSCORE_TOKEN",
    {
      fr: "un jeton de votre compte, psk_ et 40 caractères, généré sur la page /settings/api du serveur. Il n'est lu que dans cette variable, jamais dans une option : d'autres processus peuvent voir la ligne de commande, et l'historique du shell la conserve. « explain » et « check --from » s'en passent",
      en: "a token (psk_ and 40 characters), created on your account's /settings/api page. It is read only here, never from a flag: other processes see command lines, and shell history keeps them. 'explain' and 'check --from' need no token",
    },
  ],
  [
    "SHIPSCORE_URL",
    {
      fr: "l'URL du serveur (par défaut http://127.0.0.1:7070) ; --base-url la remplace. Le http sans chiffrement n'est accepté que pour cette machine",
      en: "the server's URL (default http://127.0.0.1:7070); --base-url overrides it. Plain http is accepted for this machine only",
    },
  ],
  [
    "SHIPSCORE_TARGET_HEADERS",
    {
      fr: "un objet JSON avec les en-têtes qui ouvrent à « check » un aperçu protégé : x-vercel-protection-bypass, cf-access-client-id, cf-access-client-secret",
      en: "a JSON object with the headers that open a protected preview to 'check': x-vercel-protection-bypass, cf-access-client-id, cf-access-client-secret",
    },
  ],
  [
    "SHIPSCORE_TARGET_ORIGIN",
    {
      fr: "l'origine https à laquelle ces en-têtes sont destinés, si seul un fichier l'indique ; une URL saisie et --site n'ont pas besoin de cette autorisation",
      en: "the https origin that these headers are for, if it is set only in a file; not needed with a typed URL or --site",
    },
  ],
  [
    "LC_ALL, LC_MESSAGES, LANG",
    {
      fr: "les textes sont en français si la première de ces variables qui est définie commence par fr, sinon en anglais. Restent en anglais les identifiants, les textes de « doctor --json » et, dans un tube, les noms des étapes de « doctor »",
      en: "texts are in French if the first of these that is set begins with fr, and otherwise in English. IDs, the texts of 'doctor --json' and, in a pipe, the names of doctor's steps stay in English",
    },
  ],
  [
    "HTTPS_PROXY, NO_PROXY",
    {
      fr: "le proxy par lequel joindre le serveur, et les hôtes à joindre sans proxy ; cette machine est toujours jointe sans proxy",
      en: "the proxy to reach the server through, and the hosts to reach without it; this machine is always reached without it",
    },
  ],
  [
    "NODE_EXTRA_CA_CERTS",
    {
      fr: "un fichier d'autorités de certification supplémentaires",
      en: "a file of additional certificate authorities to trust",
    },
  ],
  [
    "SHIPSCORE_FORCE_TTY",
    {
      fr: "un nombre de colonnes : la commande écrit alors dans un tube ce qu'afficherait un terminal de cette largeur",
      en: "a number of columns: the command then prints to a pipe what a terminal of that width would show",
    },
  ],
  [
    "GITHUB_ACTIONS",
    {
      fr: "si elle vaut true, « check » annote les conditions non remplies et ce qui coûte des points, et écrit dans GITHUB_STEP_SUMMARY et GITHUB_OUTPUT",
      en: "if it is true, 'check' annotates conditions that are not met and what costs points, and writes to GITHUB_STEP_SUMMARY and GITHUB_OUTPUT",
    },
  ],
  [
    "SHIPSCORE_PUBLIC_URL",
    {
      fr: "le serveur permanent : avec « shipscore-server exec », les liens des rapports mènent à ses règles",
      en: "the permanent server: with 'shipscore-server exec', reports link to its rules",
    },
  ],
  [
    "CI",
    {
      fr: "sauf si elle vaut false, « check » écrit son rapport sur stderr quand stdout n'est pas un terminal",
      en: "unless it is false, 'check' writes its report to stderr when stdout is not a terminal",
    },
  ],
  [
    "NO_COLOR, FORCE_COLOR, TERM",
    {
      fr: "NO_COLOR désactive les couleurs et FORCE_COLOR les active ; TERM=dumb désactive aussi les caractères de dessin",
      en: "NO_COLOR turns colors off, and FORCE_COLOR turns them on; TERM=dumb also turns off drawing characters",
    },
  ],
  [
    "FORCE_HYPERLINK",
    {
      fr: "1 fait de l'identifiant d'une règle un lien vers sa documentation, 0 l'interdit ; sinon, cela dépend du terminal",
      en: "1 turns rule IDs into links to their documentation, 0 does not; otherwise the terminal decides",
    },
  ],
];

export const formatEnvironment = (language: Language): string =>
  formatTopic(
    {
      title: { fr: "Environnement", en: "Environment" },
      examples: [
        "read -rs SHIPSCORE_TOKEN && export SHIPSCORE_TOKEN",
        "export SHIPSCORE_URL=https://shipscore.example.com",
      ],
      parts: [formatEntries(VARIABLES, language)],
    },
    language,
  );

export function formatExitCodes(language: Language): string {
  const rows = Object.values<ExitCode>(EXIT).map((code): HelpEntry => [
    String(code).padStart(3),
    EXIT_MEANINGS[code],
  ]);
  return formatTopic(
    {
      title: { fr: "Codes de sortie", en: "Exit codes" },
      examples: [
        "shipscore check https://example.com/ --min-score 80",
        'case $? in 0) echo ship ;; 1) echo "not yet" ;; *) echo "try again" ;; esac',
      ],
      parts: [
        formatEntries(rows, language, 3),
        {
          fr: "1 signifie que l'une de vos conditions n'est pas remplie, et rien d'autre. Les codes de 40 à 53 sont le premier et le dernier chiffre d'un statut HTTP : 44 est un 404. --no-fail remplace 1 et 4 par 0 ; les erreurs conservent leur code. Une erreur dans la ligne de commande donne 2 avant tout envoi, et n'est pas décomptée du quota.",
          en: "1 means that a condition you set is not met, and nothing else. Codes from 40 to 53 are the first and the last digit of an HTTP status: 44 is a 404. --no-fail turns 1 and 4 into 0; errors keep their code. A mistake in the command line gives 2 before anything is sent, and does not count against the quota.",
        },
      ],
    },
    language,
  );
}

const OTHER_CLIENTS: readonly HelpPart[] = [
  untranslated("Cursor, .cursor/mcp.json:"),
  `  {
    "mcpServers": {
      "shipscore": {
        "type": "stdio",
        "command": "shipscore",
        "args": ["mcp"],
        "env": {
          "SHIPSCORE_URL": "https://shipscore.example.com",
          "SHIPSCORE_TOKEN": "\${env:SHIPSCORE_TOKEN}"
        }
      }
    }
  }`,
  untranslated("VS Code, .vscode/mcp.json:"),
  `  {
    "inputs": [
      {
        "type": "promptString",
        "id": "shipscore-token",
        "description": "shipscore token",
        "password": true
      }
    ],
    "servers": {
      "shipscore": {
        "type": "stdio",
        "command": "shipscore",
        "args": ["mcp"],
        "env": {
          "SHIPSCORE_URL": "https://shipscore.example.com",
          "SHIPSCORE_TOKEN": "\${input:shipscore-token}"
        }
      }
    }
  }`,
  untranslated("Codex, ~/.codex/config.toml:"),
  `  [mcp_servers.shipscore]
  command = "shipscore"
  args = ["mcp"]
  env = { SHIPSCORE_URL = "https://shipscore.example.com" }
  env_vars = ["SHIPSCORE_TOKEN"]`,
];

const MORE_CLIENTS: Text = {
  fr: "--help-all décrit Cursor, VS Code et Codex.",
  en: "--help-all covers Cursor, VS Code and Codex.",
};

export const describeMcp = (isWhole: boolean): readonly HelpPart[] => [
  {
    fr: "L'assistant lance cette commande et dialogue avec elle en MCP, sur stdin et stdout. La commande transmet chaque message à /mcp sur le serveur, ce qui nécessite l'offre Team. Le jeton n'est lu que dans SHIPSCORE_TOKEN : transmettez-le depuis l'environnement ou depuis la saisie secrète du client, comme ici, pour qu'aucun fichier ne le contienne.",
    en: "The assistant starts this command and speaks MCP with it over stdin and stdout. The command passes each message to the server's /mcp; this needs the Team plan. The token is read from SHIPSCORE_TOKEN only: pass it on from the environment or from the client's secret input, as shown, so that no file contains it.",
  },
  untranslated("Claude Code, .mcp.json:"),
  `  {
    "mcpServers": {
      "shipscore": {
        "command": "shipscore",
        "args": ["mcp"],
        "env": {
          "SHIPSCORE_URL": "https://shipscore.example.com",
          "SHIPSCORE_TOKEN": "\${SHIPSCORE_TOKEN}"
        }
      }
    }
  }`,
  ...(isWhole ? OTHER_CLIENTS : [MORE_CLIENTS]),
  {
    fr: "Pour tout autre client : la commande « shipscore mcp », avec SHIPSCORE_URL et SHIPSCORE_TOKEN dans son environnement.",
    en: "Any other client: the command 'shipscore mcp' with SHIPSCORE_URL and SHIPSCORE_TOKEN in its environment.",
  },
  {
    fr: "Ces clients peuvent aussi appeler eux-mêmes https://shipscore.example.com/mcp, avec le jeton dans un en-tête : le fichier docs/mcp.md du paquet explique comment, et décrit chaque outil. Un appel qui échoue reçoit une erreur, expliquée dans une ligne sur stderr que la plupart des clients conservent dans un journal.",
    en: "These clients can also call https://shipscore.example.com/mcp themselves, with the token in a header: docs/mcp.md in the package explains how, and describes each tool. A call that fails gets an error. A line on stderr explains the error, and most clients keep that line in a log.",
  },
];

const COLUMN_ENTRIES = Object.entries(COLUMNS).map(([name, names]): HelpEntry => [
  name,
  untranslated(names.join(", ")),
]);

const FORMAT_ENTRIES = Object.entries<Format>(FORMATS).map(([name, { summary }]): HelpEntry => [
  name,
  summary,
]);

const WHOLE_OUTPUT: readonly HelpPart[] = [
  {
    fr: "--json affiche la réponse de l'API, même si les conditions ne sont pas remplies, ou l'erreur de l'API s'il y en a une. S'il y a des conditions, une vérification contient aussi « gate », qui indique si elles sont remplies, le résultat de chacune et, dans « accepted », les constats acceptés. Pour tous les projets, « incidents » ajoute projectId et projectName à chaque incident. Avec plusieurs URL, « check » donne {\"checks\": [...]}, avec « errors » pour les URL qui n'ont pas pu être vérifiées.",
    en: '--json prints the API\'s response, also when the gate is not met, or the API\'s error if there is one. A gate adds "gate" to a check: whether it is met, the result of each condition, and in "accepted" the accepted findings. \'incidents\' for all projects adds projectId and projectName to each incident; \'check\' with several URLs prints {"checks": [...]}, with "errors" for the URLs that could not be checked.',
  },
  {
    fr: "« check --save FICHIER » enregistre ce JSON. « check --from FICHIER » l'affiche, l'explique, lui applique les conditions et en tire les rapports, sans requête. --baseline FICHIER compare avec lui : un constat qui rapporte moins ou plafonne le score plus bas est « nouveau », d'autres sont « corrigé » ou « non vérifié », et le reste est compté. La comparaison va sur stderr si stdout n'est pas un terminal.",
    en: "'check --save FILE' saves that JSON. 'check --from FILE' shows, explains, gates and reports it again without a request. --baseline FILE compares with it. Each finding that earns less or caps the score lower is 'new', others are 'fixed' or 'not checked', and the rest is counted. This goes to stderr when stdout is not a terminal.",
  },
  {
    fr: "Les constats qui plafonnent le score viennent en premier, du plafond le plus bas au plus haut, puis ceux qui coûtent le plus de points. Les textes sont dans la langue du système ; les identifiants, les colonnes et les noms des tests et des règles ne changent jamais.",
    en: "Findings that cap the score come first, lowest limit first, then those that cost the most points. Texts are in your locale's language; IDs, columns and the names of tests and rules never change.",
  },
  {
    fr: "FORMAT=- affiche un rapport à la place du résultat. Une page qui n'a pas pu être vérifiée ou évaluée figure dans chaque rapport comme une erreur, avec la raison et la marche à suivre. Avant la première requête, la commande vérifie qu'elle peut écrire les fichiers ; chacun est écrit en entier, ou pas du tout. Elle peut aussi écrire dans un périphérique ou un tube.",
    en: "FORMAT=- prints a report in place of the result. A page that could not be checked or assessed is an error in each report, with the reason and what to do. Before the first request, the command checks that it can write the files; each is written whole, or not at all. A report can also go to a device or a pipe.",
  },
  {
    fr: "SARIF et GitLab reconnaissent un constat à l'URL telle que saisie, JUnit à son hôte et à son chemin. Si l'URL change à chaque exécution, comme celle d'un aperçu, --as URL donne le nom de la page. Aucun rapport n'affiche les valeurs des paramètres d'URL.",
    en: "SARIF and GitLab recognize a finding by the URL as typed, JUnit by its host and path. If the URL changes with each run, as with a preview, --as URL sets the page's name. No report shows the values of a query.",
  },
  {
    fr: "Dans GitHub Actions, au plus dix annotations signalent les erreurs, puis chaque condition non remplie, puis les constats. Le Markdown devient le résumé de l'étape, et « score », « verdict », « gate » (met ou not_met) et « report » deviennent ses sorties.",
    en: "In GitHub Actions, up to ten annotations show errors, then each condition that is not met, then findings. The Markdown becomes the step's summary, and 'score', 'verdict', 'gate' (met or not_met) and 'report' become its outputs.",
  },
];

export const formatOutput = (language: Language, isWhole: boolean): string =>
  formatTopic(
    {
      title: { fr: "Sortie", en: "Output" },
      examples: [
        "shipscore check https://example.com/ --field score",
        "shipscore check https://example.com/ --report sarif=- > shipscore.sarif",
        "shipscore check --from main.json --report html=main.html",
        `shipscore projects | awk -F'\\t' '$2 == "down" { print $4 }'`,
        "shipscore check https://example.com/ --json | jq -r '.caps[].reason'",
      ],
      parts: [
        {
          fr: "stdout ne contient que le résultat ; la progression, les notes et les erreurs vont sur stderr. Un terminal reçoit un rapport ou un tableau ; dans une tâche de CI (CI est définie), le rapport va sur stderr. Un tube reçoit des lignes pour les programmes : elles n'ont pas d'en-tête, des tabulations séparent les champs, et un champ vide représente null. Les nouvelles colonnes viennent toujours à la fin :",
          en: "stdout has only the result; progress, notes and errors go to stderr. A terminal gets a report or a table for people; in a CI job (CI is set), the report goes to stderr. A pipe gets rows for programs: they have no header, tabs separate the fields, and an empty field means null. New columns are only added after these:",
        },
        formatEntries(COLUMN_ENTRIES, language),
        {
          fr: "--json affiche la réponse de l'API, même si les conditions ne sont pas remplies, et --field CHEMIN un seul de ses champs, comme quota.remaining, findings.0.id ou gate.met. -q n'affiche que le résultat des conditions et les erreurs, sur stderr.",
          en: "--json prints the API's response, even if the gate is not met, and --field PATH prints one field of it, such as quota.remaining, findings.0.id or gate.met. -q prints only the gate's result and errors, on stderr.",
        },
        {
          fr: "« check --report FORMAT=FICHIER », une ou plusieurs fois, écrit aussi :",
          en: "'check --report FORMAT=FILE', once or more, also writes:",
        },
        formatEntries(FORMAT_ENTRIES, language),
        ...(isWhole
          ? WHOLE_OUTPUT
          : [
              {
                fr: "« shipscore help output --help-all » en dit plus.",
                en: "'shipscore help output --help-all' shows more.",
              },
            ]),
      ],
    },
    language,
  );
