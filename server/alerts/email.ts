import type { Send } from "./kinds.ts";

export const sendEmail: Send = () => Promise.resolve({ ok: false, error: "no_mail" });
