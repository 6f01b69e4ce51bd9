import { BaseSequencer, type TestSpecification } from "vitest/node";

const LONGEST = [
  "test/server/",
  "test/db/",
  "test/operator/",
  "test/api/",
  "test/linear/expressions",
  "test/package/",
  "test/demo/",
  "test/ci/docs",
  "test/cycle/",
  "test/hostile/",
  "test/fuzz/fuzz",
  "test/verify/harm",
  "test/judge/properties",
  "test/served/",
  "test/cli/doctor",
];

/** Starts long files first. One that starts last would run alone, and the whole run would wait for it. */
export class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = LONGEST.findIndex((name) => moduleId.includes(name));
      return rank < 0 ? LONGEST.length : rank;
    };
    return Promise.resolve(files.toSorted((one, other) => rankOf(one) - rankOf(other)));
  }
}
