import { sign } from "node:crypto";
import * as z from "zod";
import type { Answer } from "../db/deployments/answers.ts";
import type { Deps } from "../deps.ts";
import { askProvider, isGood, readJson, type Asked } from "./ask.ts";
import { getProvider } from "./providers.ts";

/** What a token is made for. */
type AppAnswer = Pick<Answer, "api" | "repository" | "comments" | "appId" | "installationId">;

const InstallationToken = z.object({ token: z.string().min(1) });

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");

/** A token of 9 minutes with which an app asks for others; its clock may be a minute ahead of GitHub's. */
function signAsApp(appId: string, key: string): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iat: now - 60, exp: now + 540, iss: appId };
  const signed = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
  return `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`;
}

/**
 * The token that a secret is, or of an app's key one of its installation that may write to the one repository, for which GitHub
 * is asked each time: it is in memory alone.
 */
export async function findToken(
  deps: Deps,
  { api, repository, comments, appId, installationId }: AppAnswer,
  secret: string,
  signal: AbortSignal,
): Promise<{ token: string } | Asked> {
  if (appId === null) return { token: secret };
  const permissions = { statuses: "write", ...(comments && { pull_requests: "write" }) };
  const asked = await askProvider(
    deps,
    {
      method: "POST",
      url: `${api}/app/installations/${installationId ?? ""}/access_tokens`,
      headers: {
        ...getProvider("github").headers(signAsApp(appId, secret)),
        "content-type": "application/json",
      },
      body: JSON.stringify({ repositories: [repository.split("/")[1]], permissions }),
    },
    signal,
  );
  if (!isGood(asked)) return asked;
  const { data } = InstallationToken.safeParse(readJson(asked));
  return data ?? { failure: "cut_off" };
}
