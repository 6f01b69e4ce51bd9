import { expect, test } from "vitest";
import { AppError } from "../../server/base/errors.ts";
import { describeFailure } from "../../server/base/errors.ts";

test.each<[failure: Error, words: string]>([
  [new AppError("busy", {}), "The command failed (busy)."],
  [
    new AppError("quota_exceeded", {
      quota: { used: 30, limit: 30, remaining: 0 },
      askedAt: new Date(0),
    }),
    "The command failed (quota_exceeded).",
  ],
  [new AppError("token_not_found", { id: "tok_1" }), "There is no token tok_1."],
  [new Error("no\n room"), "no room"],
])("an operator is told of %s in words: %s", (failure, words) => {
  expect(describeFailure(failure)).toEqual({ exitCode: 1, words });
});
