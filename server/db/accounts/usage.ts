import { fragment, type Fragment } from "../driver/fragment.ts";

/** In SQL, how many slots of the month (UTC) the caller's account has used. */
export const USED_THIS_MONTH: Fragment = fragment`coalesce((select used from usage
  where account_id = caller.account_id and month = date_trunc('month', now() at time zone 'utc')::date), 0)`;
