import { writeFileSync } from "node:fs";
import { importRules } from "./import-rules.ts";
import { readRooms } from "./rooms.ts";

const file = new URL("../../.oxlintrc.imports.json", import.meta.url);
const overrides = importRules(readRooms()).overrides.map((override) => JSON.stringify(override));
writeFileSync(file, `{"overrides":[\n${overrides.join(",\n")}\n]}\n`);
