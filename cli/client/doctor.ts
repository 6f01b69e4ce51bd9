import { type Asked, parseResponse } from "./api.ts";
import { findRefusal, foreignResponseError } from "./errors.ts";
import { ProjectList } from "../../shared/project.ts";
import type { Step } from "./json-output.ts";
import { Health, read, readError } from "./api-responses.ts";
import { findHeader, type HttpResponse } from "./response.ts";
import { readBaseUrl, readProxy, readToken } from "./settings.ts";
import { ask, connectPlain, lookUp, shakeHands, type Connection } from "./connection-steps.ts";
import type { CommonFlags, Context } from "../terminal/command.ts";
import { CliError, describeError } from "../terminal/errors.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import type { Env } from "../terminal/io.ts";
import { parseJson } from "../terminal/json.ts";
import { countOf, readLanguage } from "../terminal/words.ts";

/** What a step of a request found; `isDoubtful` where it works, but not as it should. */
interface Found<T = true> {
  readonly value: T;
  readonly text: string;
  readonly isDoubtful?: boolean;
}

const MAX_SKEW_MS = 60_000;

const DEFAULT = "(default)";

function findAddress(env: Env, flag: string | undefined): Found<URL> {
  const value = readBaseUrl(env, flag);
  const isSet = flag !== undefined || Boolean(env.SHIPSCORE_URL);
  return { value, text: isSet ? value.href : `${value.href} ${DEFAULT}` };
}

function describeProxy(env: Env, url: URL): string {
  const proxy = readProxy(env, url);
  if (proxy) return `through ${proxy.host}, as HTTPS_PROXY says`;
  if (readProxy({ ...env, no_proxy: "" }, url)) return "none, since NO_PROXY names the server";
  return env.https_proxy || env.HTTPS_PROXY ? "none for this machine" : `none ${DEFAULT}`;
}

/** A step whose value is that it can be done. */
async function tell(text: Promise<string>): Promise<Found> {
  return { value: true, text: await text };
}

/** The answer of `/healthz`; undefined where it is not ours, as behind a gateway that passes on the API alone. */
async function findHealth(connection: Connection): Promise<HttpResponse | undefined> {
  const response = await ask(connection, "healthz").catch((error: unknown) => {
    if (error instanceof CliError) return undefined;
    throw error;
  });
  return response && read(Health, parseJson(response.text)) ? response : undefined;
}

/**
 * Asks the API without the token, which it refuses if it is ours. Where something else on the way refuses it, `/healthz`
 * tells.
 */
async function askServer(connection: Connection, { language, now }: Asked) {
  const api = await ask(connection, "api/v1/projects");
  const body = parseJson(api.text);
  const refusal = findRefusal(api, readError(body), now, language);
  const isOpen = api.status === 200 && read(ProjectList, body) !== undefined;
  const isOurs = isOpen || refusal?.exitCode === EXIT.tokenRefused;
  const mayBeOurs = isOurs || api.status === 401 || api.status === 403;
  const health = mayBeOurs ? await findHealth(connection) : undefined;
  if (!isOurs && health === undefined) throw refusal ?? foreignResponseError(api, connection.url);
  const text = `a shipscore server answers at ${connection.url.href}`;
  return {
    value: { api, health },
    text: health ? text : `${text}; its /healthz is not passed on`,
  };
}

async function askProjects(connection: Connection, token: string, asked: Asked): Promise<Found> {
  const response = await ask(connection, "api/v1/projects", token);
  const { projects } = parseResponse(response, ProjectList, asked);
  return { value: true, text: `accepted; it sees ${countOf(projects.length, "project")}` };
}

function compareClocks(response: HttpResponse, now: Date): Found {
  const date = Date.parse(findHeader(response, "date") ?? "");
  if (Number.isNaN(date))
    return { value: true, text: "the server does not tell its own", isDoubtful: true };
  const skewMs = now.getTime() - date;
  if (Math.abs(skewMs) < MAX_SKEW_MS)
    return { value: true, text: "as the server's, to the minute" };
  const minutes = Math.round(Math.abs(skewMs) / 60_000);
  const direction = skewMs > 0 ? "ahead of" : "behind";
  const text = `${countOf(minutes, "minute")} ${direction} the server's: set this machine's clock, or the server's`;
  return { value: true, text, isDoubtful: true };
}

function compareVersions(response: HttpResponse | undefined, own: string): Found {
  const version = response && read(Health, parseJson(response.text))?.version;
  if (version === undefined)
    return { value: true, text: `${own}; the server does not tell its own` };
  const isSame = version.split(".", 2).join(".") === own.split(".", 2).join(".");
  if (isSame) return { value: true, text: `${own}, the server's ${version}` };
  const text = `${own}, the server's ${version}: install the same on both sides`;
  return { value: true, text, isDoubtful: true };
}

async function settle<T>(work: () => Found<T> | Promise<Found<T>>): Promise<Found<T> | CliError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
}

/**
 * Tries each step of a request in order, and tells what came of it. A step that needs one that failed is skipped; the
 * token is sent only once the server has answered as a shipscore server.
 * @returns the exit code of the first step that failed
 */
export async function diagnose(
  { env, io, signal, now, version }: Context,
  flags: CommonFlags,
  report: (step: Step) => Promise<void>,
): Promise<ExitCode> {
  let firstFailure: CliError | undefined;

  async function look<T>(
    step: string,
    work: (() => Found<T> | Promise<Found<T>>) | undefined,
  ): Promise<T | undefined> {
    const found = work && (await settle(work));
    if (found === undefined) await report({ step, state: "skipped", text: "" });
    else if (found instanceof CliError) {
      firstFailure ??= found;
      const { exitCode } = found;
      await report({ step, state: "failed", text: describeError(found), exitCode });
    } else {
      const { text, isDoubtful } = found;
      await report({ step, state: isDoubtful ? "doubtful" : "good", text });
      return found.value;
    }
    return undefined;
  }

  const token = await look("SHIPSCORE_TOKEN", () => ({
    value: readToken(env),
    text: "set, and well-formed",
  }));
  const url = await look("Address", () => findAddress(env, flags.baseUrl));
  const connection = await look<Connection>(
    "Proxy",
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
  const address = await look("DNS", connection && (() => tell(lookUp(connection))));
  const opened = await look("TCP", address && connection && (() => tell(connectPlain(connection))));
  const channel = await look("TLS", opened && connection && (() => tell(shakeHands(connection))));
  const asked = (on: Connection): Asked => ({
    url: on.url,
    language: readLanguage(env),
    now: now(),
  });
  const server = await look(
    "Server",
    channel && connection && (() => askServer(connection, asked(connection))),
  );
  const isReady = server !== undefined && connection !== undefined && token !== undefined;
  await look(
    "Token",
    isReady ? () => askProjects(connection, token, asked(connection)) : undefined,
  );
  await look("Clock", server && (() => compareClocks(server.health ?? server.api, now())));
  await look("Version", server && (() => compareVersions(server.health, version)));
  return firstFailure?.exitCode ?? EXIT.done;
}
