import { fragment, type Fragment } from "./driver/fragment.ts";

/** In SQL, the rows of a select as one value. */
export const asList = (select: Fragment): Fragment =>
  fragment`to_json(array(select to_json(listed) from (${select}) listed))`;

/** A row as it is read from a list, whose times are texts. */
export type Listed<Row> = {
  [Key in keyof Row]: Extract<Row[Key], Date> extends never
    ? Row[Key]
    : string | Exclude<Row[Key], Date>;
};

export const toDate = (time: string): Date => new Date(time);
