import { fragment, type Fragment } from "../db/driver/fragment.ts";

/** A session ends this long after its last use, and this long after its beginning. */
const IDLE_DAYS = 14;
export const SESSION_DAYS = 90;

/** In SQL, true for a session that has not expired. */
export const isLiveSession: Fragment = fragment`
  sessions.last_used_at > now() - interval '1 day' * ${IDLE_DAYS}::int
  and sessions.created_at > now() - interval '1 day' * ${SESSION_DAYS}::int`;
