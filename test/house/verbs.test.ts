import { expect, test } from "vitest";
import { ACTION_WORDS } from "../../server/web/pages/account/events-words.ts";
import { readCalls } from "../harness/verbs.ts";

const { verbs, passed, loose, actions } = readCalls();

test("no door changes anything but by a verb; drafts and notices are their reader's, and a delivery is what the door received", () => {
  expect(verbs.length).toBeGreaterThan(20);
  expect(passed).toEqual([
    "hooks/events.ts: insertDeliveries",
    "hooks/refusals.ts: insertDeliveries",
    "web/pages/account/account.tsx: dismissNotices",
    "web/pages/sign-in/sign-in.ts: insertDraft",
  ]);
});

test("each verb that changes something records it; these change nothing of an account or a project yet", () => {
  const unrecorded = verbs.filter(({ isRecorded }) => !isRecorded).map(({ name }) => name);
  expect(unrecorded).toEqual([
    // Somebody who is not known asks for a link; what it is used for is recorded.
    "access/links.ts sendPasswordLink",
    "access/links.ts sendSignUpLink",
    "access/links.ts createFirstLink",
    // Tells of what was recorded.
    "access/notice-letters.ts tellAccounts",
    // Count tries, and bring a hash up to the present cost.
    "access/password-tries.ts countFailures",
    "access/password-tries.ts tryPassword",
    // Send again what was queued; that an alert is active again follows from a target that answers.
    "alerts/deliveries.ts testAlert",
    "alerts/deliveries.ts retryDelivery",
    // Whoever gets a project's e-mails, of whom nothing else is known.
    "alerts/recipients.ts answerAsRecipient",
    // Adding the alert is recorded.
    "alerts/recipients.ts askRecipient",
    // The hook notes the test that is sent to it.
    "projects/hooks.ts signTest",
    // Counts how often it is asked; what is added afterwards is recorded.
    "projects/sitemap.ts readSitemap",
    // Count the host names that are looked up.
    "projects/urls.ts requireVerifiable",
    "projects/urls.ts requireVerifiableOfProject",
    "projects/urls.ts refuseUnverifiable",
  ]);
});

test("what is recorded is recorded in the transaction that does it", () => {
  expect(loose).toEqual([]);
});

test("each action that has words is recorded by some verb", () => {
  const unused = Object.keys(ACTION_WORDS).filter((action) => !actions.includes(action));
  expect(unused).toEqual([]);
});

test("each verb has a door, or is part of one that has", () => {
  const unused = verbs.filter(({ doors, partOf }) => doors.length + partOf.length === 0);
  expect(unused.map(({ name }) => name)).toEqual([]);
});
