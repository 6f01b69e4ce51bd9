/* Run by `exec`: checks the URL that it is given, and prints how long each of several checks took, as a line of JSON. */
import { request } from "node:http";

const CHECKS = 20;
const { SHIPSCORE_URL = "", SHIPSCORE_TOKEN } = process.env;
const body = JSON.stringify({ url: process.argv[2] });
const headers = { authorization: `Bearer ${SHIPSCORE_TOKEN}`, "content-type": "application/json" };

const check = () =>
  new Promise((resolve, reject) => {
    const sent = request(`${SHIPSCORE_URL}/api/v1/check`, { method: "POST", headers }, (answer) => {
      answer.resume();
      answer.once("end", () => resolve(answer.statusCode));
    });
    sent.once("error", reject);
    sent.end(body);
  });

const tookMs = [];
for (let number = 0; number < CHECKS; number++) {
  const at = performance.now();
  const status = await check();
  if (status !== 200) throw new Error(`a check was answered with ${status}`);
  tookMs.push(performance.now() - at);
}
console.log(JSON.stringify(tookMs));
