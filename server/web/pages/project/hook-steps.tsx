import { useSay } from "../../kit/reader.tsx";
import type { HookProvider } from "../../../db/deployments/hooks.ts";
import { CopyButton } from "../../kit/copy.tsx";
import { HOOK as WORDS } from "./hooks-words.ts";

/** What to open, fill in, tick and click at a provider, in its own words; `@` stands for the address, `*` for the secret. */
const STEPS: Readonly<Record<Exclude<HookProvider, "plain">, string>> = {
  github:
    "Settings > Webhooks > Add webhook | Payload URL = @ | Content type = application/json | Secret = * | Let me select individual events > Deployment statuses | Add webhook",
  vercel:
    "Settings > Webhooks > Create Webhook | Deployment Succeeded, Deployment Promoted | Endpoint URL = @ | Create Webhook",
  netlify:
    "Project configuration > Notifications > Deploy notifications > Add notification > HTTP POST request | Event to listen for = Deploy succeeded | URL to notify = @ | JWS secret token = * | Save",
  gitlab:
    "Settings > Webhooks > Add new webhook | URL = @ | Secret token = * | Trigger > Deployment events | Add webhook",
};

/** What a job runs to report a deployment to a hook of the plain form, as docs/ci.md has it. */
export const REPORTING = String.raw`id="msg_$(openssl rand -hex 16)" now="$(date +%s)" body="{\"type\":\"deployment.succeeded\",\"data\":{\"commit\":\"${"$"}{CI_COMMIT_SHA:?}\"}}"
key="$(printf %s "${"$"}{SHIPSCORE_HOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')"
signature="$(printf %s "$id.$now.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)"
curl -fsS --retry 3 -H "webhook-id: $id" -H "webhook-timestamp: $now" -H "webhook-signature: v1,$signature" --data-raw "$body" "${"$"}{SHIPSCORE_HOOK_URL:?}"`;

function Step({ step }: { step: string }) {
  const say = useSay();
  const [name, value] = step.split(" = ");
  const ours = value === "@" ? WORDS.theAddress : value === "*" ? WORDS.theSecret : undefined;
  return (
    <li>
      <b lang="en">{name}</b>
      {value !== undefined && ": "}
      {ours ? say(ours) : value && <b lang="en">{value}</b>}
    </li>
  );
}

/** What to do at the provider of a hook, step by step. */
export function Steps({ provider }: { provider: HookProvider }) {
  const say = useSay();
  if (provider !== "plain")
    return (
      <ol>
        {STEPS[provider].split(" | ").map((step) => (
          <Step step={step} />
        ))}
        {provider === "vercel" && <li>{say(WORDS.paste)}</li>}
      </ol>
    );
  return (
    <>
      <p>{say(WORDS.inJob)}</p>
      <pre>
        <code id="reporting">{REPORTING}</code>
      </pre>
      <CopyButton of="reporting" name={WORDS.lines} />
    </>
  );
}
