import { expect, test } from "vitest";
import { readCalls } from "../harness/verbs.ts";

const { verbs, passed, loose } = readCalls();

test("no door changes anything but by a verb; a draft is its reader's, and no change", () => {
  expect(verbs.length).toBeGreaterThan(20);
  expect(passed).toEqual(["web/sign-in/sign-in.ts: insertDraft"]);
});

test("each verb that changes something records it; these change nothing of an account or a project yet", () => {
  const unrecorded = verbs.filter(({ isRecorded }) => !isRecorded).map(({ name }) => name);
  expect(unrecorded).toEqual([
    // Somebody who is not known asks for a link; what it is used for is recorded.
    "access/links.ts sendPasswordLink",
    "access/links.ts sendSignUpLink",
    "access/links.ts createFirstLink",
    // Counts tries, and brings a hash up to the present cost.
    "access/password-tries.ts tryPassword",
  ]);
});

test("what is recorded is recorded in the transaction that does it", () => {
  expect(loose).toEqual([]);
});
