import { discord } from "./kinds/discord.ts";
import { email } from "./kinds/email.ts";
import { slack } from "./kinds/slack.ts";
import { webhook } from "./kinds/webhook.ts";
import type { Kind } from "./sender.ts";

const KINDS = { webhook, slack, discord, email };

export type AlertKind = keyof typeof KINDS;

export const ALERT_KINDS = Object.keys(KINDS) as AlertKind[];

/** `kind` comes from the database, where a constraint allows only an `AlertKind`. */
export const findKind = (kind: string): Kind => KINDS[kind as AlertKind];
