import { expect, test } from "vitest";
import { ACTION_WORDS } from "../../server/web/account-pages/happenings-words.ts";
import { readCalls } from "../harness/verbs.ts";

const { verbs, passed, loose, actions } = readCalls();

test("no door changes anything but by a verb; a draft is its reader's, and a delivery is what the door received", () => {
  expect(verbs.length).toBeGreaterThan(20);
  expect(passed).toEqual([
    "hooks/events.ts: insertDeliveries",
    "hooks/refusals.ts: insertDeliveries",
    "web/sign-in/sign-in.ts: insertDraft",
  ]);
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
    // Send again what was queued; that an alert is active again follows from a target that answers.
    "alerts/deliveries.ts testAlert",
    "alerts/deliveries.ts retryDelivery",
    // Whoever gets the e-mails of an alert, of whom nothing else is known.
    "alerts/subscriptions.ts unsubscribe",
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

test("the verbs, and the doors that call them: pages and commands go through the same", () => {
  const lines = verbs
    .filter(({ doors }) => doors.length > 0)
    .map(({ name, doors }) => `${name}: ${doors.join(", ")}`);
  expect(lines).toMatchInlineSnapshot(`
    [
      "access/account-deletion.ts deleteAccount: operator/accounts.ts, web/account-pages/account.tsx",
      "access/account-settings.ts changePreferences: web/account-pages/account.tsx, web/account-pages/language.ts",
      "access/account-settings.ts changePassword: web/account-pages/account.tsx",
      "access/account-settings.ts endTheOthers: operator/accounts.ts, web/account-pages/account.tsx",
      "access/accounts.ts addAccount: exec.ts, operator/accounts.ts",
      "access/accounts.ts changePlan: operator/accounts.ts",
      "access/confirm.ts confirmByPassword: web/session/confirm.tsx",
      "access/link-uses.ts setPasswordByLink: web/sign-in/links.ts",
      "access/link-uses.ts createFirstAccount: web/sign-in/links.ts",
      "access/link-uses.ts signUpByLink: web/sign-in/links.ts",
      "access/link-uses.ts signInByLink: web/sign-in/links.ts",
      "access/link-uses.ts changeEmailByLink: web/sign-in/links.ts",
      "access/links.ts sendPasswordLink: web/sign-in/mail-forms.ts",
      "access/links.ts sendSignUpLink: web/sign-in/mail-forms.ts",
      "access/links.ts offerEmail: web/account-pages/account.tsx",
      "access/links.ts createLink: operator/accounts.ts",
      "access/links.ts createFirstLink: main.ts",
      "access/passkeys.ts addPasskey: web/account-pages/passkeys.tsx",
      "access/passkeys.ts renamePasskey: web/account-pages/passkeys.tsx",
      "access/passkeys.ts removePasskey: web/account-pages/passkeys.tsx",
      "access/passkeys.ts signInByPasskey: web/sign-in/sign-in.ts",
      "access/passkeys.ts confirmByPasskey: web/session/confirm.tsx",
      "access/sessions.ts endSession: web/account-pages/account.tsx, web/sign-in/sign-in.ts",
      "access/sign-in.ts signIn: web/sign-in/sign-in.ts",
      "access/tokens.ts createToken: exec.ts, operator/tokens.ts, web/account-pages/api.tsx",
      "access/tokens.ts revokeToken: operator/tokens.ts, web/account-pages/api.tsx",
      "access/tokens.ts revokeAllTokens: exec.ts",
      "alerts/alerts.ts addAlert: operator/alerts.ts, web/project-pages/alerts.ts",
      "alerts/alerts.ts removeAlert: operator/alerts.ts, web/project-pages/alerts.ts",
      "alerts/alerts.ts rotateAlert: operator/alerts.ts, web/project-pages/alerts.ts",
      "alerts/deliveries.ts testAlert: operator/alerts.ts, web/project-pages/alerts.ts",
      "alerts/deliveries.ts retryDelivery: operator/alerts.ts, web/project-pages/alerts.ts",
      "alerts/subscriptions.ts unsubscribe: web/project-pages/unsubscribing.tsx",
      "projects/badges.ts setBadge: operator/projects.ts, web/project-pages/settings.ts",
      "projects/deployments.ts recordDeployment: operator/deployments.ts",
      "projects/deployments.ts recordShips: hooks/events.ts",
      "projects/hand-over.ts offerProject: web/project-pages/hand-over.tsx",
      "projects/hand-over.ts withdrawHandOver: web/project-pages/hand-over.tsx",
      "projects/hand-over.ts acceptHandOver: web/project-pages/invitations.ts",
      "projects/hand-over.ts declineHandOver: web/project-pages/invitations.ts",
      "projects/hooks.ts addHook: operator/hooks.ts, web/project-pages/hooks.ts",
      "projects/hooks.ts rotateHook: operator/hooks.ts, web/project-pages/hooks.ts",
      "projects/hooks.ts removeHook: operator/hooks.ts, web/project-pages/hooks.ts",
      "projects/membership.ts acceptInvitation: operator/projects.ts, web/project-pages/invitations.ts",
      "projects/membership.ts declineInvitation: web/project-pages/invitations.ts",
      "projects/membership.ts leaveProject: web/project-pages/invitations.ts",
      "projects/projects.ts createProject: operator/projects.ts, web/project-pages/new-page.tsx",
      "projects/projects.ts editProject: operator/projects.ts, web/project-pages/settings.ts",
      "projects/projects.ts deleteProject: operator/projects.ts, web/project-pages/settings.ts",
      "projects/sharing.ts shareProject: operator/projects.ts, web/project-pages/people.ts",
      "projects/sharing.ts resendInvitation: web/project-pages/people.ts",
      "projects/sharing.ts withdrawInvitation: web/project-pages/people.ts",
      "projects/sharing.ts removeMember: web/project-pages/people.ts",
      "projects/sharing.ts unshareProject: operator/projects.ts",
      "projects/watching.ts watchUrls: web/project-pages/settings.ts",
      "projects/watching.ts watchUrl: operator/projects.ts",
      "projects/watching.ts unwatchUrl: operator/projects.ts, web/project-pages/settings.ts",
    ]
  `);
});
