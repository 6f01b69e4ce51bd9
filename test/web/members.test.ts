import { beforeEach, describe, expect, test } from "vitest";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { offerProject } from "../../server/projects/hand-over.ts";
import { acceptInvitation, shareProject } from "../../server/projects/invitations.ts";
import { signIn, type Client, type PageAnswer } from "../harness/application.ts";
import { findLinks, startMailRelay, withoutBreaks } from "../harness/mail.ts";
import { actorOf, addPerson, addProject, givePassword, type Person } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const UNKNOWN = "prj_00000000000000000000";
const URL = "https://127.0.0.1:8443/";
const NEW = "eve@example.com";

type Who = "alice" | "bob" | "carol" | "ivy";

const relay = use(startMailRelay);
const server = use(() => startTestServer({ env: relay.env }));
let people: Record<Who, Person>;
let clients: Record<Who, Client>;
let project: string;
let settings: string;
let groups = 0;

/** Alice's project, new for each test with people of its own: Bob is a member, Ivy is invited, Carol is a stranger. */
beforeEach(async () => {
  groups++;
  const add = async (name: Who) => {
    const person = await addPerson(server, `${name}-${groups}`);
    people = { ...people, [name]: person };
    clients = { ...clients, [name]: await signIn(server, person) };
  };
  for (const name of ["alice", "bob", "carol", "ivy"] as const) await add(name);
  project = await addProject(server, people.alice, URL, "Tea shop");
  settings = `/projects/${project}/settings/people`;
  for (const { email } of [people.bob, people.ivy])
    await shareProject(server.deps, OPERATOR, project, email);
  await acceptInvitation(server.deps, actorOf(people.bob), project);
});

const post = (who: Who, path: string, fields: Record<string, string> = {}) =>
  clients[who].post(path, fields);
const said = (code: string) => `${settings}?done=${code}#done`;
const seen = ({ status, html }: PageAnswer) => [status, html];
const offerTo = (person: Person) => offerProject(server.deps, OPERATOR, project, person.email);

/** What a row of a table says, without its buttons. */
const rowOf = ({ page }: PageAnswer, start: string) =>
  page.rows.find(([first = ""]) => first.startsWith(start))?.slice(0, 2);

describe("rejected", () => {
  /** The paths of the owner's buttons, with a form that the owner could send. */
  const buttons = (id: string): [path: string, fields: Record<string, string>][] => [
    [`/projects/${id}/settings/people`, { email: NEW }],
    [`/projects/${id}/settings/people`, { email: "no address" }],
    [`/projects/${id}/settings/people/resend`, { email: people.ivy.email }],
    [`/projects/${id}/settings/people/withdraw`, { email: people.ivy.email }],
    [`/projects/${id}/settings/people/${people.bob.accountId}/remove`, {}],
    [`/projects/${id}/hand-over/${people.bob.accountId}`, {}],
    [`/projects/${id}/settings/people/take-back`, {}],
  ];
  const stateOf = () => server.sql`
    select account_id, null as email from memberships where project_id = ${project}
    union all select null, email from invitations where project_id = ${project}
    union all select account_id, 'offered' from hand_overs where project_id = ${project} order by 1, 2`;

  test("every button for strangers and invited people, with the 404 of an unknown project", async () => {
    await offerTo(people.bob);
    const before = await stateOf();
    for (const [index, [path, fields]] of buttons(project).entries()) {
      const [unknown = ""] = buttons(UNKNOWN)[index] ?? [];
      for (const who of ["carol", "ivy"] as const) {
        const answer = await post(who, path, fields);
        expect([path, answer.status]).toEqual([path, 404]);
        expect(answer.html.replaceAll(project, UNKNOWN)).toBe(
          (await post(who, unknown, fields)).html,
        );
      }
    }
    expect(await stateOf()).toEqual(before);
  });

  test("every button of the owner for a member, with a 403", async () => {
    await offerTo(people.bob);
    const before = await stateOf();
    for (const [path, fields] of buttons(project))
      expect([path, (await post("bob", path, fields)).status]).toEqual([path, 403]);
    expect(await stateOf()).toEqual(before);
  });

  test.each(["accept", "decline"])(
    "%s: without an invitation with a 404, the same for any project",
    async (answer) => {
      const [own, none] = [
        `/invitations/${project}/${answer}`,
        `/invitations/${UNKNOWN}/${answer}`,
      ];
      const refused = await post("carol", own);
      expect(refused.status).toBe(404);
      expect(seen(await post("carol", none))).toEqual(seen(refused));
      expect((await post("alice", own)).status).toBe(404);
    },
  );

  test("leaving, accepting or declining without membership, offer or invitation", async () => {
    for (const button of ["leave", "hand-over/accept", "hand-over/decline"]) {
      for (const who of ["carol", "ivy"] as const)
        expect(seen(await post(who, `/projects/${project}/${button}`))).toEqual(
          seen(await post(who, `/projects/${UNKNOWN}/${button}`)),
        );
      expect((await post("carol", `/projects/${project}/${button}`)).status).toBe(404);
    }
    expect((await post("bob", `/projects/${project}/hand-over/accept`)).status).toBe(409);
  });

  test("leaving for the owner, who must transfer the project first", async () => {
    const { status, page } = await post("alice", `/projects/${project}/leave`);
    expect([status, page.text]).toEqual([
      409,
      expect.stringContaining("Transfer it to a member first"),
    ]);
  });

  test.each<[typed: string, problem: RegExp]>([
    ["", /not an e-mail address/],
    ["bob", /not an e-mail address/],
    [`${"x".repeat(300)}@example.com`, /not an e-mail address/],
    ["ALICE", /your own address/],
    ["BOB", /already a member/],
  ])("at the field: %s", async (typed, problem) => {
    const own = { ALICE: ` ${people.alice.email.toUpperCase()} `, BOB: people.bob.email };
    const email = own[typed as keyof typeof own] ?? typed;
    const answer = await post("alice", `/projects/${project}/settings/people`, { email });
    const { email: field } = answer.page.form(`/projects/${project}/settings/people`).fields;
    expect(answer.status).toBe(422);
    expect(field).toMatchObject({ isInvalid: true, value: email });
    expect(field?.problem).toMatch(problem);
  });

  test("the 21st invitation of a day: 429 with the time, and the address is kept", async () => {
    const path = `/projects/${project}/settings/people`;
    for (let count = 1; count < 20; count++)
      expect((await post("alice", path, { email: `${count}@example.net` })).status).toBe(303);
    expect((await post("alice", `${path}/resend`, { email: people.ivy.email })).status).toBe(303);
    for (const [to, email] of [
      [path, "last@example.net"],
      [`${path}/resend`, people.ivy.email],
    ] as const) {
      const answer = await post("alice", to, { email });
      expect([answer.status, Number(answer.headers.get("retry-after"))]).toEqual([
        429,
        expect.toSatisfy((seconds) => seconds > 0 && seconds <= 4320),
      ]);
      expect(answer.page.form(path).fields["email"]).toMatchObject({
        value: email,
        problem: expect.stringMatching(/20 invitations.* in /),
      });
    }
  });

  test.each<[string, button: () => string, fields: () => Record<string, string>, status: number]>([
    [
      "an invitation that was answered",
      () => "settings/people/withdraw",
      () => ({ email: people.bob.email }),
      404,
    ],
    ["an invitation that never was", () => "settings/people/resend", () => ({ email: NEW }), 404],
    ["an offer to no member", () => `hand-over/${people.ivy.accountId}`, () => ({}), 409],
    ["an offer that was not made", () => "settings/people/take-back", () => ({}), 409],
    ["an offer to no account", () => "hand-over/%00", () => ({}), 409],
  ])("from an old page: %s", async (_, button, fields, status) => {
    expect((await post("alice", `/projects/${project}/${button()}`, fields())).status).toBe(status);
  });

  test.each(["Remove", "Transfer ownership to"])(
    "%s: the URL of the confirmation has no address, and survives an expired session",
    async (verb) => {
      const { alice } = clients;
      const button = `${verb} ${people.bob.email}`;
      const page = await alice.get(settings);
      const form = page.page.formOf(button);
      expect(form.action).toContain(people.bob.accountId);
      expect(form.sent(button)).toEqual({});
      const asked = await alice.press(page, button);
      alice.cookies.clear();
      const { next = "" } = (await alice.press(asked, button)).page.form("/sign-in").sent();
      const returned = await (await signIn(server, people.alice)).get(next);
      expect([returned.status, returned.page.h1]).toEqual([200, `${button}?`]);
    },
  );

  test("transferring after 15 minutes without the password, and offering nothing before", async () => {
    const password = await givePassword(server, people.alice);
    await server.sql`
      update sessions set confirmed_at = now() - interval '16 minutes' where account_id = ${people.alice.accountId}`;
    const answer = await clients.alice.press(
      await clients.alice.get(settings),
      `Transfer ownership to ${people.bob.email}`,
    );
    expect([answer.status, answer.page.h1]).toEqual([
      200,
      `Transfer ownership to ${people.bob.email}?`,
    ]);
    const button = `Transfer ownership to ${people.bob.email}`;
    const wrong = await clients.alice.press(answer, button, { current_password: "wrong password" });
    expect([wrong.status, wrong.page.problems]).toEqual([
      422,
      { current_password: expect.stringContaining("Incorrect password") },
    ]);
    expect((await clients.bob.get("/projects")).page.buttons).not.toContain("Accept Tea shop");
    const done = await clients.alice.press(wrong, button, { current_password: password });
    expect([done.status, done.location]).toEqual([303, said("transfer-offered")]);
    expect((await clients.bob.get("/projects")).page.buttons).toContain("Accept Tea shop");
  });
});

describe("an address without an account and one with an account", () => {
  test("get the same answer, row and e-mail", async () => {
    const { alice } = clients;
    const tell = async (email: string) => {
      const answer = await alice.post(`/projects/${project}/settings/people`, { email });
      await server.sql`
        update invitations set invited_at = now() - interval '90 minutes' where email = ${email}`;
      const page = await alice.get(answer.location ?? "");
      const { subject, text } = await relay.lastTo(email);
      const shown = [answer.status, rowOf(page, email), page.page.buttons, subject, text];
      await alice.post(`/projects/${project}/settings/people/withdraw`, { email });
      return JSON.stringify(shown).replaceAll(email, "ADDRESS");
    };
    const known = await tell(people.carol.email);
    expect(known).toMatch(/pending.* 1 hour ago/);
    expect(await tell(`new-${groups}@example.com`)).toBe(known);
  });

  test("the e-mail is in both languages and has only our link, for any project name", async () => {
    const own = await addProject(
      server,
      people.alice,
      URL,
      "http://evil.example/ “won” evil.example <b>$1000</b> \u202egnp",
    );
    await post("alice", `/projects/${own}/settings/people`, { email: NEW });
    const { text, subject, to } = await relay.lastTo(NEW);
    expect([to, subject]).toEqual([
      [NEW],
      "[shipscore] Invitation à un projet / Invitation to a project",
    ]);
    expect(new Set(findLinks(text))).toEqual(new Set([`${server.deps.site.origin}/projects`]));
    const read = withoutBreaks(text);
    expect(read).toContain(`«\u00a0${people.alice.email}\u00a0» vous invite à voir le projet`);
    expect(read).toContain(`“${people.alice.email}” invites you to see the project`);
    expect(text).toContain("“http evil example won evil example b 1000 b gnp”");
    expect(text).not.toContain("evil.example");
  });
});

test("Alice invites Bob's friend, sees the time and the sender, resends it, and withdraws it", async () => {
  const { alice, carol } = clients;
  const { email } = people.carol;
  const invited = await alice.press(await alice.get(settings), "Invite", { email });
  expect([invited.status, invited.location]).toEqual([303, said("invitation-sent")]);
  await alice.post(`/projects/${project}/settings/people`, { email });
  const page = await alice.get(settings);
  expect(page.page.rows.filter(([first]) => first === email)).toHaveLength(1);
  expect(rowOf(page, email)?.[1]).toMatch(
    new RegExp(`^pending, invited by ${people.alice.email} .*(second|now)`),
  );
  expect((await alice.press(page, `Resend to ${email}`)).status).toBe(303);
  expect((await relay.lastTo(email, 3)).text).toContain("/projects");
  expect((await carol.get("/projects")).page.buttons).toContain("Accept Tea shop");
  const stale = await carol.get("/projects");
  expect((await alice.press(page, `Withdraw the invitation for ${email}`)).status).toBe(303);
  expect((await carol.get("/projects")).page.buttons).not.toContain("Accept Tea shop");
  expect((await carol.press(stale, "Accept Tea shop")).status).toBe(404);
  expect(rowOf(await alice.get(settings), email)).toBeUndefined();
});

test("in French too", async () => {
  const alice = await signIn(server, people.alice, { language: "fr" });
  const { buttons } = (await alice.get(settings)).page;
  expect(buttons).toEqual(
    expect.arrayContaining([
      `Transférer à ${people.bob.email}`,
      `Retirer ${people.bob.email}`,
      `Renvoyer à ${people.ivy.email}`,
      `Annuler l'invitation envoyée à ${people.ivy.email}`,
      "Inviter",
    ]),
  );
  const ivy = await signIn(server, people.ivy, { language: "fr" });
  expect(rowOf(await alice.get(settings), people.ivy.email)?.[1]).toMatch(
    /^en attente, invitation envoyée par/,
  );
  expect((await ivy.get("/projects")).page.buttons).toEqual([
    "Accepter Tea shop",
    "Refuser Tea shop",
  ]);
});

describe("an unanswered invitation", () => {
  test("shows the project's name and the sender, only on /projects", async () => {
    const list = await clients.ivy.get("/projects");
    expect(rowOf(list, "Tea shop")).toEqual([
      "Tea shop",
      `${people.alice.email} invites you to see this project.`,
    ]);
    expect(list.page.buttons).toEqual(["Accept Tea shop", "Decline Tea shop"]);
    expect(list.html).not.toContain(URL);
    for (const path of [`/projects/${project}`, settings])
      expect(seen(await clients.ivy.get(path))).toEqual(
        seen(await clients.carol.get(path)).map((part) =>
          typeof part === "string" ? part.replaceAll(people.carol.email, people.ivy.email) : part,
        ),
      );
    for (const path of ["/checks", "/settings/api"])
      expect((await clients.ivy.get(path)).html).not.toMatch(new RegExp(`Tea shop|${project}`));
    const { token } = people.ivy;
    expect(await (await server.request("/api/v1/projects", { token })).json()).toEqual({
      projects: [],
    });
  });

  test("is declined, and can be repeated", async () => {
    const { ivy } = clients;
    const list = await ivy.get("/projects");
    expect((await ivy.press(list, "Decline Tea shop")).location).toBe(
      "/projects?done=invitation-declined#done",
    );
    expect((await ivy.press(list, "Decline Tea shop")).status).toBe(404);
    expect((await ivy.press(list, "Accept Tea shop")).status).toBe(404);
    expect(rowOf(await clients.alice.get(settings), people.ivy.email)).toBeUndefined();
    await post("alice", `/projects/${project}/settings/people`, { email: people.ivy.email });
    expect((await ivy.get("/projects")).page.buttons).toContain("Accept Tea shop");
  });

  test("is accepted, twice by a double click; the member reads, cannot change, and leaves", async () => {
    const { ivy, alice } = clients;
    const list = await ivy.get("/projects");
    const accepted = await ivy.press(list, "Accept Tea shop");
    expect([accepted.status, accepted.location]).toEqual([
      303,
      `/projects/${project}?done=invitation-accepted#done`,
    ]);
    expect((await ivy.press(list, "Accept Tea shop")).status).toBe(303);
    expect((await ivy.get(`/projects/${project}`)).status).toBe(200);
    expect(rowOf(await alice.get(settings), people.ivy.email)?.[1]).toMatch(/^member since/);
    const own = await ivy.get(`/projects/${project}/settings`);
    expect(own.page.buttons).toEqual(["Leave Tea shop"]);
    expect((await ivy.press(own, "Leave Tea shop")).location).toBe(
      "/projects?done=project-left#done",
    );
    expect((await ivy.press(own, "Leave Tea shop")).status).toBe(404);
    expect((await ivy.get(`/projects/${project}`)).status).toBe(404);
  });

  test("waits for an account, and only for the invited one", async () => {
    const email = `new-${groups}@example.org`;
    await post("alice", `/projects/${project}/settings/people`, { email });
    const eve = await addPerson(server, `eve-${groups}`);
    await server.sql`update accounts set email = ${email} where id = ${eve.accountId}`;
    const client = await signIn(server, eve);
    expect((await client.get("/projects")).page.buttons).toContain("Accept Tea shop");
    await server.sql`update accounts set email = ${`now-${email}`} where id = ${eve.accountId}`;
    expect((await client.get("/projects")).page.buttons).not.toContain("Accept Tea shop");
    expect((await client.post(`/invitations/${project}/accept`)).status).toBe(404);
  });

  test("expires after 14 days, for both", async () => {
    await server.sql`update invitations set invited_at = now() - interval '14 days' where project_id = ${project}`;
    expect((await clients.ivy.get("/projects")).page.buttons).toEqual([]);
    expect((await post("ivy", `/invitations/${project}/accept`)).status).toBe(404);
    expect(rowOf(await clients.alice.get(settings), people.ivy.email)).toBeUndefined();
  });
});

test("a removed member sees nothing any more", async () => {
  const page = await clients.alice.get(settings);
  const asked = await clients.alice.press(page, `Remove ${people.bob.email}`);
  for (const click of ["first", "second"]) {
    const { status, location } = await clients.alice.press(asked, `Remove ${people.bob.email}`);
    expect([click, status, location]).toEqual([click, 303, said("member-removed")]);
  }
  expect((await clients.bob.get(`/projects/${project}`)).status).toBe(404);
  expect((await clients.alice.press(page, `Remove ${people.bob.email}`)).status).toBe(404);
  expect((await post("alice", `${settings}/%00/remove`)).status).toBe(303);
});

test("Alice offers the project to Bob, withdraws the offer, offers again; Bob declines, then accepts", async () => {
  const { alice, bob } = clients;
  const { email } = people.bob;
  const general = `/projects/${project}/settings`;
  const before = await alice.get(settings);
  expect((await alice.confirm(before, `Transfer ownership to ${email}`)).location).toBe(
    said("transfer-offered"),
  );
  const offered = await alice.get(settings);
  expect(rowOf(offered, email)?.[1]).toMatch(/transfer offered, waiting/);
  const list = await bob.get("/projects");
  expect(rowOf(list, "Tea shop")?.[1]).toContain(
    `${people.alice.email} wants to transfer this project to you`,
  );
  await alice.press(offered, `Cancel transfer to ${email}`);
  expect((await bob.press(list, "Accept Tea shop")).status).toBe(409);
  await alice.confirm(before, `Transfer ownership to ${email}`);
  expect((await bob.press(list, "Decline Tea shop")).location).toBe(
    "/projects?done=transfer-declined#done",
  );
  expect((await bob.press(list, "Accept Tea shop")).status).toBe(409);
  await alice.confirm(before, `Transfer ownership to ${email}`);
  expect((await bob.get(general)).page.buttons).toEqual(["Leave Tea shop"]);
  for (const press of ["once", "twice"])
    expect([press, (await bob.press(list, "Accept Tea shop")).location]).toEqual([
      press,
      `/projects/${project}?done=transfer-accepted#done`,
    ]);
  expect((await alice.get(general)).page.buttons).toEqual(["Leave Tea shop"]);
  expect((await bob.get(settings)).page.buttons).toContain(`Remove ${people.alice.email}`);
  expect((await alice.press(before, "Invite", { email: NEW })).status).toBe(403);
});

test.each(["settings/people/resend", "settings/people/withdraw"])(
  "%s accepts an address in any spelling, and an invalid one belongs to no one",
  async (path) => {
    const nobody = await post("alice", `/projects/${project}/${path}`, { email: NEW });
    expect(nobody.status).toBeLessThan(500);
    const typed = await post("alice", `/projects/${project}/${path}`, { email: "a\0@example.com" });
    expect(seen(typed)).toEqual(seen(nobody));
  },
);
