#!/usr/bin/env node
/* Runs the built command in a checkout. An installed command is dist/shipscore.cjs itself, which skips the module loader. */
import { createRequire } from "node:module";

createRequire(import.meta.url)("../dist/shipscore.cjs");
