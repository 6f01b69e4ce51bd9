#!/usr/bin/env node
/* The built command, in a checkout. An installed one is dist/shipscore.cjs itself, without the cost of the module loader. */
import { createRequire } from "node:module";

createRequire(import.meta.url)("../dist/shipscore.cjs");
