import path from "node:path";
import { pathToFileURL } from "node:url";

interface Output {
  readonly result: string;
}

interface Retrieved {
  readonly responses: { readonly auto: { readonly status: number } | null };
}

interface Modules {
  retrieve(host: string, options: { httpsPort: number; httpPort: number }): Promise<Retrieved>;
  readonly ALL_TESTS: readonly ((requests: Retrieved) => Output)[];
  getScoreModifier(result: string): number;
  getGradeForScore(score: number): { readonly score: number; readonly grade: string };
  readonly MINIMUM_SCORE_FOR_EXTRA_CREDIT: number;
}

async function loadModules(home: string): Promise<Modules> {
  const files = ["retriever/retriever.js", "constants.js", "grader/grader.js", "grader/charts.js"];
  const loaded = await Promise.all(
    files.map(
      (file) => import(pathToFileURL(path.join(home, "src", file)).href) as Promise<object>,
    ),
  );
  return Object.assign({}, ...loaded) as Modules;
}

/** The grade by the Observatory's own scan(), which cannot be given a port: `B 70`, or why there is none. */
async function gradeSite(modules: Modules, httpsPort: number, httpPort: number): Promise<string> {
  const requests = await modules.retrieve("localhost", { httpsPort, httpPort });
  const status = requests.responses.auto?.status;
  if (status === undefined) return "none: the site seems to be down";
  if (status < 200 || (status >= 400 && ![401, 403].includes(status)))
    return `none: status ${status}`;
  const modifiers = modules.ALL_TESTS.map((test) =>
    modules.getScoreModifier(test(requests).result),
  );
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 100);
  const uncurved = sum(modifiers.filter((modifier) => modifier < 0));
  const hasExtra = uncurved >= modules.MINIMUM_SCORE_FOR_EXTRA_CREDIT;
  const { grade, score } = modules.getGradeForScore(hasExtra ? sum(modifiers) : uncurved);
  return `${grade} ${score}`;
}

const [home = "", ...ports] = process.argv.slice(2);
const modules = await loadModules(home);
for (const pair of ports) {
  const [httpsPort = 0, httpPort = 0] = pair.split(":").map(Number);
  process.stdout.write(`${await gradeSite(modules, httpsPort, httpPort)}\n`);
}
