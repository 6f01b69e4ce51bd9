import { Secret, TOTP } from "otpauth";
import { prepareSecondFactor, turnOnSecondFactor } from "../../server/access/second-factor.ts";
import { actorOf, type Person } from "./people.ts";
import type { TestServer } from "./server.ts";

/** Returns the code of an app with this secret. `steps`: how many steps of 30 seconds from now. */
export const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + steps * 30_000,
  });

export interface App {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
  nextCode(): Promise<string>;
}

/** Turns on two-factor authentication for the person. */
export async function giveSecondFactor({ deps, sql }: TestServer, person: Person): Promise<App> {
  const { secret, sealed } = prepareSecondFactor(deps, person, "");
  const recoveryCodes = await turnOnSecondFactor(deps, actorOf(person), {
    sealed,
    code: codeOf(secret),
    now: new Date(),
  });
  return {
    secret,
    recoveryCodes,
    async nextCode() {
      await sql`update second_factors set last_step = 0 where account_id = ${person.accountId}`;
      return codeOf(secret);
    },
  };
}
