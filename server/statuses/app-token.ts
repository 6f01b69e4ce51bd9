import { sign } from "node:crypto";
import * as z from "zod";
import type { Answer } from "../db/deployments/answers.ts";
import type { Deps } from "../deps.ts";
import { askProvider, isGood, readJson, type Asked } from "./ask.ts";

/** What a token is made for. */
export type AppAnswer = Pick<Answer, "api" | "repository" | "appId" | "installationId">;

const InstallationToken = z.object({ token: z.string().min(1) });

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");

/** A token of 9 minutes with which an app asks for others; its clock may be a minute ahead of GitHub's. */
function signAsApp(appId: string, key: string): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iat: now - 60, exp: now + 540, iss: appId };
  const signed = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
  return `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`;
}

/** Asks GitHub for a token of an app's installation that may write to the one repository. */
export async function askForToken(
  deps: Deps,
  { api, repository, appId, installationId }: AppAnswer,
  key: string,
  signal: AbortSignal,
): Promise<{ token: string } | Asked> {
  const permissions = { statuses: "write" };
  const asked = await askProvider(
    deps,
    {
      method: "POST",
      url: `${api}/app/installations/${installationId ?? ""}/access_tokens`,
      headers: {
        accept: "application/vnd.github+json",
        authorization: `Bearer ${signAsApp(appId ?? "", key)}`,
        "content-type": "application/json",
        "x-github-api-version": "2022-11-28",
      },
      body: JSON.stringify({ repositories: [repository.split("/")[1]], permissions }),
    },
    signal,
  );
  if (!isGood(asked)) return asked;
  const { data } = InstallationToken.safeParse(readJson(asked));
  return data ?? { failure: "cut_off" };
}
