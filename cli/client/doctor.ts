import type { Text } from "../../shared/language.ts";

import { parseResponse } from "./api.ts";
import { findRefusal, foreignResponseError } from "./errors.ts";
import { ProjectList } from "../../shared/project.ts";
import type { Diagnosis } from "./json-output.ts";
import { Health, read, readError } from "./api-responses.ts";
import { findHeader, type HttpResponse } from "./response.ts";
import { readBaseUrl, readProxy, readToken } from "./settings.ts";
import { sendOnce, openTcp, resolveHost, openTls, type Connection } from "./connection-steps.ts";
import type { CommonFlags, Context } from "../terminal/command.ts";
import { CliError, describeError, untranslated } from "../terminal/errors.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import type { Env } from "../terminal/io.ts";
import { parseJson } from "../terminal/json.ts";
import { countOf } from "../terminal/words.ts";

/** The English name is the step's id in JSON and in rows. */
export interface Step extends Omit<Diagnosis["steps"][number], "step" | "text"> {
  readonly name: Text;
  readonly text: Text;
}

interface StepResult<T = true> {
  readonly value: T;
  readonly text: Text;
  readonly isDoubtful?: boolean;
}

const MAX_SKEW_MS = 60_000;

const DEFAULT: Text = { fr: "(par défaut)", en: "(default)" };

function findBaseUrl(env: Env, flag: string | undefined): StepResult<URL> {
  const value = readBaseUrl(env, flag);
  const { href } = value;
  const isSet = flag !== undefined || Boolean(env.SHIPSCORE_URL);
  const text = isSet
    ? untranslated(href)
    : { fr: `${href} ${DEFAULT.fr}`, en: `${href} ${DEFAULT.en}` };
  return { value, text };
}

function describeProxy(env: Env, url: URL): Text {
  const proxy = readProxy(env, url);
  if (proxy)
    return {
      fr: `par ${proxy.host}, selon HTTPS_PROXY`,
      en: `through ${proxy.host}, from HTTPS_PROXY`,
    };
  if (readProxy({ ...env, no_proxy: "" }, url))
    return {
      fr: "aucun, car NO_PROXY contient le serveur",
      en: "none, because NO_PROXY lists the server",
    };
  return env.https_proxy || env.HTTPS_PROXY
    ? { fr: "aucun pour cette machine", en: "none for this machine" }
    : { fr: `aucun ${DEFAULT.fr}`, en: `none ${DEFAULT.en}` };
}

const toResult = async (text: Promise<Text>): Promise<StepResult> => ({
  value: true,
  text: await text,
});

/** Undefined behind a gateway that passes on the API only. */
async function findHealth(connection: Connection): Promise<HttpResponse | undefined> {
  const response = await sendOnce(connection, "healthz").catch((error: unknown) => {
    if (error instanceof CliError) return undefined;
    throw error;
  });
  return response && read(Health, parseJson(response.text)) ? response : undefined;
}

/**
 * Our server refuses a request without the token. If something else on the way refuses it, `/healthz` shows whether the
 * server is ours.
 */
async function probeServer(connection: Connection, now: Date) {
  const api = await sendOnce(connection, "api/v1/projects");
  const body = parseJson(api.text);
  const refusal = findRefusal(api, readError(body), now);
  const isOpen = api.status === 200 && read(ProjectList, body) !== undefined;
  const isOurs = isOpen || refusal?.exitCode === EXIT.tokenRefused;
  const mayBeOurs = isOurs || api.status === 401 || api.status === 403;
  const health = mayBeOurs ? await findHealth(connection) : undefined;
  if (!isOurs && health === undefined) throw refusal ?? foreignResponseError(api, connection.url);
  const { href } = connection.url;
  const found = {
    fr: `un serveur shipscore répond à ${href}`,
    en: `a shipscore server responds at ${href}`,
  };
  const text = health
    ? found
    : {
        fr: `${found.fr} ; son /healthz n'est pas accessible`,
        en: `${found.en}; its /healthz cannot be reached`,
      };
  return { value: { api, health }, text };
}

async function readProjects(connection: Connection, token: string, now: Date): Promise<StepResult> {
  const response = await sendOnce(connection, "api/v1/projects", token);
  const { projects } = parseResponse(response, ProjectList, { url: connection.url, now });
  return {
    value: true,
    text: {
      fr: `accepté ; projets visibles : ${projects.length}`,
      en: `accepted; visible projects: ${projects.length}`,
    },
  };
}

function compareClocks(response: HttpResponse, now: Date): StepResult {
  const date = Date.parse(findHeader(response, "date") ?? "");
  if (Number.isNaN(date))
    return {
      value: true,
      text: { fr: "le serveur n'indique pas la sienne", en: "the server does not send its time" },
      isDoubtful: true,
    };
  const skewMs = now.getTime() - date;
  if (Math.abs(skewMs) < MAX_SKEW_MS)
    return {
      value: true,
      text: {
        fr: "la même heure que le serveur, à la minute près",
        en: "matches the server's, to the minute",
      },
    };
  const minutes = countOf(Math.round(Math.abs(skewMs) / 60_000), "minute");
  const direction =
    skewMs > 0 ? { fr: "d'avance", en: "ahead of" } : { fr: "de retard", en: "behind" };
  return {
    value: true,
    text: {
      fr: `${minutes.fr} ${direction.fr} sur celle du serveur : réglez l'horloge de cette machine, ou celle du serveur`,
      en: `${minutes.en} ${direction.en} the server's: correct this machine's clock, or the server's`,
    },
    isDoubtful: true,
  };
}

function compareVersions(response: HttpResponse | undefined, own: string): StepResult {
  const version = response && read(Health, parseJson(response.text))?.version;
  if (version === undefined)
    return {
      value: true,
      text: {
        fr: `${own} ; le serveur n'indique pas la sienne`,
        en: `${own}; the server does not send its version`,
      },
    };
  const both = { fr: `${own}, serveur ${version}`, en: `${own}, server ${version}` };
  const isSame = version.split(".", 2).join(".") === own.split(".", 2).join(".");
  if (isSame) return { value: true, text: both };
  return {
    value: true,
    text: {
      fr: `${both.fr} : installez la même des deux côtés`,
      en: `${both.en}: install the same version on both sides`,
    },
    isDoubtful: true,
  };
}

async function settle<T>(
  work: () => StepResult<T> | Promise<StepResult<T>>,
): Promise<StepResult<T> | CliError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
}

const STEPS = {
  token: untranslated("SHIPSCORE_TOKEN"),
  address: { fr: "URL", en: "Address" },
  proxy: untranslated("Proxy"),
  dns: untranslated("DNS"),
  tcp: untranslated("TCP"),
  tls: untranslated("TLS"),
  server: { fr: "Serveur", en: "Server" },
  access: { fr: "Jeton", en: "Token" },
  clock: { fr: "Horloge", en: "Clock" },
  version: untranslated("Version"),
};

/**
 * The token is sent only after the server has answered as a shipscore server.
 * @returns the exit code of the first step that failed
 */
export async function diagnose(
  { env, io, signal, now, version }: Context,
  flags: CommonFlags,
  report: (step: Step) => Promise<void>,
): Promise<ExitCode> {
  let firstFailure: CliError | undefined;

  async function run<T>(
    name: Text,
    work: (() => StepResult<T> | Promise<StepResult<T>>) | undefined,
  ): Promise<T | undefined> {
    const result = work && (await settle(work));
    if (result === undefined) await report({ name, state: "skipped", text: untranslated("") });
    else if (result instanceof CliError) {
      firstFailure ??= result;
      const { exitCode } = result;
      const text = { fr: describeError(result, "fr"), en: describeError(result, "en") };
      await report({ name, state: "failed", text, exitCode });
    } else {
      const { text, isDoubtful } = result;
      await report({ name, state: isDoubtful ? "doubtful" : "good", text });
      return result.value;
    }
    return undefined;
  }

  const token = await run(STEPS.token, () => ({
    value: readToken(env),
    text: { fr: "défini et bien formé", en: "set and well formed" },
  }));
  const url = await run(STEPS.address, () => findBaseUrl(env, flags.baseUrl));
  const connection = await run<Connection>(
    STEPS.proxy,
    url &&
      (() => {
        const text = describeProxy(env, url);
        const timeoutMs = flags.timeout === undefined ? null : flags.timeout * 1000;
        const start = performance.now();
        const isVerbose = flags.verbose ?? false;
        const proxy = readProxy(env, url);
        return { value: { url, proxy, signal, timeoutMs, start, io, isVerbose }, text };
      }),
  );
  const host = await run(STEPS.dns, connection && (() => toResult(resolveHost(connection))));
  const socket = await run(STEPS.tcp, host && connection && (() => toResult(openTcp(connection))));
  const channel = await run(
    STEPS.tls,
    socket && connection && (() => toResult(openTls(connection))),
  );
  const server = await run(
    STEPS.server,
    channel && connection && (() => probeServer(connection, now())),
  );
  const isReady = server !== undefined && connection !== undefined && token !== undefined;
  await run(STEPS.access, isReady ? () => readProjects(connection, token, now()) : undefined);
  await run(STEPS.clock, server && (() => compareClocks(server.health ?? server.api, now())));
  await run(STEPS.version, server && (() => compareVersions(server.health, version)));
  return firstFailure?.exitCode ?? EXIT.done;
}
