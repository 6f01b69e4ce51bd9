import { describe, expect, test } from "vitest";
import { Slice } from "../../../server/engine/net/slice.ts";
import {
  findDevelopmentBuild,
  findPrivateUrls,
} from "../../../server/engine/requests/body/script-text.ts";

describe("a private address that requests use", () => {
  test.each([
    ["fetch", 'fetch("http://localhost:8000/api/teas")'],
    ["fetch with a template", "await fetch(`http://localhost:3000/api/${e}`)"],
    ["axios", "axios.get('http://127.0.0.1:5000/users',{params:t})"],
    ["axios itself", 'axios({url:"http://localhost:5000/users"})'],
    ["XMLHttpRequest", 'r.open("GET","http://192.168.1.10/api/items",!0)'],
    ["a socket", 'new WebSocket("ws://localhost:8080")'],
    ["socket.io", 'const s=io("http://localhost:3001")'],
    ["events", 'new EventSource("http://10.0.0.4:9000/events")'],
    ["jQuery", '$.ajax({url:"http://localhost:8080/cart"})'],
    ["a setting of axios", 'axios.create({baseURL:"http://localhost:3001/v1"})'],
    ["a setting of Nuxt", 'window.__NUXT__={config:{public:{apiBase:"http://localhost:3001"}}}'],
    ["a setting of Angular", 'const e={production:!0,apiUrl:"http://localhost:5000"}'],
    ["a variable of a build", 'NEXT_PUBLIC_API_URL:"http://api.local/v1"'],
    ["Supabase's local server", 'createClient({apiUrl:"http://127.0.0.1:54321"})'],
    ["Supabase's, by a short name", 'const c=a("http://127.0.0.1:54321","eyJ")'],
    ["a client of GraphQL", 'new a({uri:"http://localhost:4000/graphql",cache:new b})'],
    ["a link of tRPC", 'c({url:"http://localhost:3000/api/trpc"})'],
    ["a client", 'new a("http://127.0.0.1:8090")'],
    ["a prefix of ky", 'k.create({prefixUrl:"http://localhost:3333"})'],
    ["a beacon", 'navigator.sendBeacon("http://localhost:3000/log",d)'],
    ["a module", 'import("http://localhost:5173/src/main.js")'],
    ["a name", 'const a="http://localhost:5000";async function b(){return fetch(`${a}/items`)}'],
    ["a name that is added to", 'var t="http://localhost:5000",n=e=>axios.post(t+"/login",e)'],
    ["a name for want of a variable", 'let u=void 0||"http://localhost:4000";fetch(u,{})'],
    ["a name that a setting takes", 'const a="http://[::1]:5000/";x({baseURL:a})'],
  ])("%s", async (_, text) => {
    expect(await findPrivateUrls(`let first;\n${text}`, new Slice())).toMatchObject([{ line: 2 }]);
  });

  test.each([
    ["a public one", 'fetch("https://api.example.org/v1")'],
    ["a public address", 'fetch("http://8.8.8.8:3000/api")'],
    [
      "one that is chosen by the host",
      'const a=location.hostname==="localhost"?"http://localhost:3000":"/api";fetch(a)',
    ],
    [
      "a setting for each environment",
      '{development:{apiUrl:"http://localhost:4000"},production:{apiUrl:"https://api.example.org"}}',
    ],
    [
      "a setting of a developer's machine",
      'if(location.hostname==="localhost"){apiUrl="http://localhost:5001"}',
    ],
    [
      "a name that is given another value before it is used",
      'let a="http://localhost:5000";if(isLive)a="https://api.example.org";fetch(a)',
    ],
    ["one that is compared", 'if(location.origin==="http://localhost:3000")start()'],
    [
      "a fallback of what the page sets",
      'const a=window.API||"http://localhost:3000";fetch(`${a}/x`)',
    ],
    [
      "axios's base for relative addresses",
      'const o=hasBrowserEnv&&window.location.href||"http://localhost"',
    ],
    ["an expression", 'new RegExp("http://localhost:3000")'],
    ["a base of an address", 'new URL("http://localhost:3000")'],
    ["a base that only resolves", 'new URL(e,"http://localhost:3000")'],
    ["the default of GoTrue", 'const r="http://localhost:9999";fetch(`${r}/token`)'],
    ["a local chain", 'rpcUrls:{default:{http:["http://127.0.0.1:8545"]}}'],
    ["a wallet's bridge", 'fetch("http://127.0.0.1:21325/")'],
    ["code that is shown", 'children:"fetch(\\"http://localhost:3000/api\\")"'],
    ["text", 'p("Open http://localhost:3000 in your browser")'],
    [
      "a name that stands for something else far away",
      `const a="http://localhost:5000";${" ".repeat(4000)}fetch(a)`,
    ],
    ["a name that nothing is sent to", 'const a="http://localhost:5000";fetch(b)'],
    ["a regular expression", "/^https?:\\/\\/localhost:3000/.test(e)"],
  ])("but not %s", async (_, text) => {
    expect(await findPrivateUrls(text, new Slice())).toEqual([]);
  });

  test("at most 5, without the values in their queries", async () => {
    const text = 'fetch("http://localhost:3000/a?token=kQ7zR2mWx9Ld4TvB");'.repeat(9);
    expect(await findPrivateUrls(text, new Slice())).toEqual(
      Array.from({ length: 5 }, () => ({ url: "http://localhost:3000/a", line: 1 })),
    );
  });
});

describe("a development build", () => {
  test.each([
    ["React", '"%cDownload the React DevTools for a better development experience: https://"'],
    ["React", "/**\n * @license React\n * react-dom.development.js\n"],
    ["Vue", "console.info(`You are running a development build of Vue.\nMake sure"],
    ["Vue", '"You are running Vue in development mode.\\n"'],
    ["Lit", '"Lit is in dev mode. Not recommended for production!"'],
    ["Tailwind", '"cdn.tailwindcss.com should not be used in production."'],
    ["Babel", "You are using the in-browser Babel transformer."],
    ["webpack", 'eval("void 0;//# sourceURL=webpack-internal:///./src/index.js")'],
  ])("of %s: %s", (name, text) => {
    expect(findDevelopmentBuild(`a();${text}`)).toBe(name);
  });

  test.each([
    "process.env.NODE_ENV!=='production'",
    "https://reactjs.org/link/react-devtools",
    "/**\n * @license React\n * react-dom.production.min.js\n",
    "__VUE_PROD_DEVTOOLS__",
  ])("is not recognized by %s", (text) => {
    expect(findDevelopmentBuild(text)).toBeNull();
  });
});
