import * as z from "zod";
import { OPERATOR } from "../db/accounts/actors.ts";
import type { Delivery } from "../db/alerts/alerts.ts";
import { fault } from "../base/input-faults.ts";
import { describeDeliveryError } from "../alerts/sender.ts";
import { defineById, defineList, defineOperation, type AddCommands } from "./command.ts";
import { column, listColumn, printFields, printTable, type ListedRow } from "./output.ts";

const NOTE =
  "A webhook's messages are signed with its secret, which is not shown again. Send a test message with: shipscore-server alert test <id>";

const SECRET_ONCE = printFields(["id", "secret"], () => NOTE);

const describeAdded = ({ state, waitingFor }: ListedRow): string => {
  if (state === "waiting")
    return `Waiting for ${String(waitingFor)} to accept, with the link that was sent by e-mail. Nothing else is sent until then.`;
  return state === "ended"
    ? "The recipient has unsubscribed: nothing is sent unless they subscribe again."
    : NOTE;
};

const describeState = ({ state, target }: ListedRow): string => {
  if (state === "waiting") return `waiting for ${String(target)} to accept`;
  return state === "handed_over" ? "paused since the transfer" : String(state);
};

const DELIVERIES = printTable([
  column("ID", "id"),
  column("TYPE", "type"),
  column("STATE", "state"),
  column("ATTEMPTS", "attempts"),
  column("ERROR", "error"),
]);

const isUndelivered = ({ state }: ListedRow): boolean => state !== "sent";

const ALERTS = printTable([
  column("ID", "id"),
  column("KIND", "kind"),
  column("TARGET", "target"),
  listColumn("ON", "on"),
  column("AFTER", "after"),
  column("REMIND", "remind"),
  ["STATE", describeState],
  column("LABEL", "label"),
]);

const describeDelivery = ({ id, type, state, attempts, error }: Delivery) => ({
  id,
  type,
  state,
  attempts,
  error: error === null ? null : describeDeliveryError(error).en,
});

export const addAlertCommands: AddCommands = (program, operate) => {
  const group = program.command("alert").description("manage alerts");
  operate(
    group
      .command("add <project> <kind> [address]")
      .description(
        "add an alert to a webhook, slack, discord or email target; print its ID and, for a webhook, its secret, which is shown once",
      )
      .option("--target-stdin", "read the target's URL, which is a secret, from standard input")
      .option(
        "--on <occasions>",
        "events to announce: incident, ship, drop, separated by commas",
        "incident,drop",
      )
      .option(
        "--after <minutes>",
        "announce an incident only if it lasts this long; shorter incidents are never announced",
      )
      .option("--remind <hours>", "send a reminder of an open incident every <hours> hours")
      .option(
        "--language <language>",
        "the language of the messages, fr or en; by default the account's",
      )
      .option("--label <text>", "a name to show in lists, such as a channel's name"),
    {
      print: printFields(["id", "secret"], describeAdded),
      async load() {
        const { addAlert, NewAlert } = await import("../alerts/alerts.ts");
        const given = fault("target_not_on_stdin");
        return defineOperation({
          input: NewAlert.extend({
            project: z.string(),
            address: z.string().optional(),
            target: z.string().optional(),
          })
            .transform(({ address, target, ...alert }) => ({
              ...alert,
              target: target ?? (alert.kind === "email" ? address : undefined),
            }))
            .refine(({ target }) => target !== undefined, given),
          async run(deps, { project, target = "", ...alert }) {
            const added = await addAlert(deps, OPERATOR, project, { ...alert, target });
            return { ...added, ...(added.state === "waiting" && { waitingFor: target.trim() }) };
          },
        });
      },
    },
  );
  operate(
    group
      .command("list <project>")
      .description("list a project's alerts; targets are shown in part"),
    {
      print: ALERTS,
      async load() {
        const { listAlerts } = await import("../db/alerts/alerts.ts");
        return defineList(listAlerts);
      },
    },
  );
  operate(group.command("show <id>").description("show an alert"), {
    print: ALERTS,
    async load() {
      const { getAlert } = await import("../alerts/alerts.ts");
      const { listAlerts } = await import("../db/alerts/alerts.ts");
      return defineById(async (deps, id) => {
        const { projectId } = await getAlert(deps, OPERATOR, id);
        return (await listAlerts(deps.database.sql, projectId)).filter((one) => one.id === id);
      });
    },
  });
  operate(
    group
      .command("test <id>")
      .description("send a test message to an alert's target now, and print the result"),
    {
      print: DELIVERIES,
      isFailure: isUndelivered,
      async load() {
        const { testAlert } = await import("../alerts/deliveries.ts");
        return defineById(async (deps, id) =>
          describeDelivery(await testAlert(deps, OPERATOR, id)),
        );
      },
    },
  );
  operate(
    group
      .command("rotate <id>")
      .description(
        "give a webhook a new secret and print it; the old one stays valid for 24 hours",
      ),
    {
      print: SECRET_ONCE,
      async load() {
        const { rotateAlert } = await import("../alerts/alerts.ts");
        return defineById((deps, id) => rotateAlert(deps, OPERATOR, id));
      },
    },
  );
  operate(
    group.command("remove <id>").description("remove an alert; nothing more is sent to its target"),
    {
      print: printFields("id"),
      async load() {
        const { removeAlert } = await import("../alerts/alerts.ts");
        return defineById((deps, id) => removeAlert(deps, OPERATOR, id));
      },
    },
  );
  operate(
    group
      .command("deliveries <id>")
      .description("list the last 50 messages to an alert's target, with their results"),
    {
      print: DELIVERIES,
      async load() {
        const { getAlert } = await import("../alerts/alerts.ts");
        const { listDeliveries } = await import("../db/alerts/alerts.ts");
        return defineById(async (deps, id) => {
          await getAlert(deps, OPERATOR, id);
          return (await listDeliveries(deps.database.sql, id)).map(describeDelivery);
        });
      },
    },
  );
  operate(
    group
      .command("retry <delivery>")
      .description("resend a message that was not delivered, and print the result"),
    {
      inputOf: ({ delivery }) => ({ id: delivery }),
      print: DELIVERIES,
      isFailure: isUndelivered,
      async load() {
        const { retryDelivery } = await import("../alerts/deliveries.ts");
        return defineById(async (deps, id) =>
          describeDelivery(await retryDelivery(deps, OPERATOR, id)),
        );
      },
    },
  );
};
