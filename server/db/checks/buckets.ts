import { hash } from "node:crypto";
import { AppError } from "../../base/errors.ts";
import { fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import { done, onlyValue } from "../driver/rows.ts";

/** Holds `capacity` tokens and refills within `seconds`. */
export interface Bound {
  /** What is limited, such as `failed sign-ins of an address`. */
  readonly name: string;
  readonly capacity: number;
  readonly seconds: number;
}

export interface Bucket {
  readonly bound: Bound;
  readonly subject: string;
}

export interface BucketLevel {
  tokens: number;
  waitSeconds: number;
}

const keyOf = ({ bound, subject }: Bucket) => hash("sha256", `${bound.name}\0${subject}`, "buffer");
const secondsOf = (seconds: number) => fragment`make_interval(secs => ${seconds}::float8)`;

/** The result stays true only under a lock that every user of the bucket holds. */
export async function readBucket(sql: Sql, bucket: Bucket): Promise<BucketLevel> {
  const { seconds, capacity } = bucket.bound;
  const left = await onlyValue(sql.read<{ left: number }>`
    select ${capacity}::int * least(1, 1 - coalesce((
      select extract(epoch from full_at - now()) from buckets where key = ${keyOf(bucket)}
    ), 0)::float8 / ${seconds}::float8) as left`);
  const tokens = Math.max(0, Math.floor(left));
  return { tokens, waitSeconds: Math.ceil((tokens + 1 - left) * (seconds / capacity)) };
}

/** Takes `wanted` tokens or none. Returns null, or the seconds until the bucket has enough. */
export function takeFromBucket(sql: Sql, bucket: Bucket, wanted = 1) {
  const { seconds, capacity } = bucket.bound;
  const key = keyOf(bucket);
  const [period, cost] = [secondsOf(seconds), secondsOf((seconds / capacity) * wanted)];
  return onlyValue(sql<{ wait: number | null }>`
    with taken as (
      insert into buckets (key, full_at) values (${key}, now() + ${cost})
      on conflict (key) do update set full_at = greatest(buckets.full_at, now()) + ${cost}
      where greatest(buckets.full_at, now()) + ${cost} <= now() + ${period}
      returning key
    )
    select case when not exists (select from taken) then
      greatest(1, (select ceil(extract(epoch from full_at + ${cost} - ${period} - now())) from buckets where key = ${key}))::int
    end as wait`);
}

export async function takeOrRefuse(sql: Sql, bucket: Bucket, wanted = 1): Promise<void> {
  const retryAfterSeconds = await takeFromBucket(sql, bucket, wanted);
  if (retryAfterSeconds !== null)
    throw new AppError("too_often", { what: bucket.bound.name, retryAfterSeconds });
}

export function returnToBucket(sql: Sql, bucket: Bucket, count = 1) {
  const { seconds, capacity } = bucket.bound;
  return done(sql`
    update buckets set full_at = full_at - ${secondsOf((seconds / capacity) * count)} where key = ${keyOf(bucket)}`);
}
