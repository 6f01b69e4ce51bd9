import { takeUntoldNotices } from "../db/accounts/notices.ts";
import { takeFromBucket, type Bound } from "../db/checks/buckets.ts";
import type { Deps } from "../deps.ts";
import { addressOf } from "./links.ts";
import { writeNotice } from "./notice-letters.ts";

/** Five at once, and then one a day: no 24 hours have more than five. */
const OF_ACCOUNT: Bound = { name: "notices by account", capacity: 5, seconds: 5 * 86_400 };

/** Tells accounts by e-mail, where this server sends any, what may harm them; each at most five times a day. */
export async function tellAccounts(deps: Deps): Promise<void> {
  const { database, mailer } = deps;
  for (const notice of await takeUntoldNotices(database.sql)) {
    if (mailer === undefined) continue;
    const bucket = { bound: OF_ACCOUNT, subject: notice.accountId };
    if ((await takeFromBucket(database.sql, bucket)) !== null) continue;
    mailer.send({ to: notice.email, ...writeNotice(notice, (path) => addressOf(deps, path)) });
  }
}
