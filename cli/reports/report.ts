import type { Checked } from "../check/checked.ts";

/** What a report says of the run besides its checks. */
export interface About {
  readonly baseUrl: URL;
  /** The language of the findings. */
  readonly language: "fr" | "en";
  readonly version: string;
  readonly now: Date;
}

/** Writes all the checks of a run in one format. */
export type FormatReport = (checked: readonly Checked[], about: About) => string;
