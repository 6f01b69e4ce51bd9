import { describe, expect, it } from "vitest";
import { readPageTexts } from "../../harness/pages.ts";
import { findLeak } from "../../../server/engine/requests/body/body-facts.ts";

function page(title: string, body: string): string {
  return `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body>${body}</body></html>`;
}

const PROSE = "<p>What each line of it says, one by one.</p>".repeat(100);
const NODE_TRACE =
  "Error: boom\n    at run (/srv/app/index.js:10:5)\n    at main (/srv/app/index.js:2:1)";
const JAVA_TRACE = "java.lang.NullPointerException\n\tat com.acme.Shop.buy(Shop.java:42)";
const PHP_WARNING =
  "Warning: include(head.php): Failed to open stream in /var/www/index.php on line 12\n";
const PYTHON_TRACE =
  'Traceback (most recent call last):\n  File "/srv/app.py", line 3, in <module>';

describe("findLeak ignores", () => {
  it.each([
    ["an empty page", ""],
    ["an ordinary page", page("Boulangerie", "<h1>Bonjour</h1>")],
    ...["The resource cannot be found.", "Runtime Error"].map((title) => [
      `what ASP.NET tells visitors while it keeps its errors back: ${title}`,
      page(title, `<H1>Server Error in '/' Application.<hr></H1><h2><i>${title}</i></h2>`),
    ]),
    ["an article on nginx", page("Welcome to nginx! What now?", "<h1>Welcome to nginx!</h1>")],
    ["an article that quotes its title", page("Default pages", "<h1>Welcome to nginx!</h1>")],
    [
      "an article on directory indexes",
      page("Index of /: how to hide it", "<h1>Hide your index</h1>"),
    ],
    [
      "an article that quotes a Java trace",
      page("NullPointerException", `<pre>${JAVA_TRACE}</pre>${PROSE}`),
    ],
    [
      "an article that quotes a Node.js trace",
      page("Errors in Node.js", `<pre>${NODE_TRACE}</pre>${PROSE}`),
    ],
    ["an article that quotes a Python trace", page("Traces", `<pre>${PYTHON_TRACE}</pre>${PROSE}`)],
    ["a page that explains Vite", page("Vite", '<pre>&lt;script src="/@vite/client"&gt;</pre>')],
    [
      "a page that explains PHP errors",
      page("PHP", "&lt;b&gt;Warning&lt;/b&gt;: x on line &lt;b&gt;3"),
    ],
    ...["<pre>\n$</pre>", "<p>$</p>", "<li>\n$</li>", "<pre><b>php</b>\n$</pre>"].map((quote) => [
      `a page that quotes a warning of PHP: ${quote}`,
      page("PHP", quote.replace("$", PHP_WARNING)),
    ]),
    ["an error in JSON", JSON.stringify({ message: "No such page", trace: "5f3a" })],
    [
      "a server's own 404 page",
      page("404 Not Found", "<center><h1>404 Not Found</h1></center><hr><center>nginx</center>"),
    ],
    [
      "an error page that gives nothing away",
      page("Internal Server Error", "<h1>Internal Server Error</h1>"),
    ],
    [
      "a built Next.js page",
      page("Shop", '<script src="/_next/static/chunks/main-app-0a1b2c.js"></script>'),
    ],
  ])("%s", async (_name, text) => {
    expect(await findLeak(await readPageTexts(text))).toBeNull();
  });
});

const ARTICLE = "<p>What it is, how it came to be seen by all, and how to be rid of it.</p>".repeat(
  4,
);
const IGNITE = "window.ignite({ report: {} })";
const WRAPPER = '&lt;div class="exception-message-wrapper"&gt;';
const VITE = '<script type="module" src="/@vite/client"></script>';

describe("findLeak ignores quotations in an article", () => {
  it.each([
    ["Laravel's call in <pre>", `<pre>${IGNITE}</pre>`],
    ["Laravel's call in prose", `<p>${IGNITE}`],
    [
      "Laravel's call in the data of a script",
      `<script>window.__NUXT__={a:"x;${IGNITE}"}</script>`,
    ],
    ["Laravel's call in JSON", `<script type="application/json">"${IGNITE}"</script>`],
    ["a development path of Next.js", "<code>/_next/static/development/_buildManifest.js</code>"],
    [
      "a script of Next.js's development in <pre>",
      '<pre>&lt;script src="/_next/static/chunks/main-app.js?v=17"&gt;</pre>',
    ],
    ["Symfony's class in <pre>", `<pre>${WRAPPER}</pre>`],
    ["Symfony's class in prose", `<p>${WRAPPER}`],
    ["Symfony's class in a comment", '<!-- <div class="exception-message-wrapper"> -->'],
    ["Symfony's toolbar in a text box", '<textarea><div id="sfwdt1"></textarea>'],
    ["Vite's client in a comment", `<!-- ${VITE} -->`],
    ["Vite's client in a template", `<template>${VITE}</template>`],
    [
      "Vite's client in a script's text",
      `<script>const page = '${VITE.replace("</", "<\\/")}'</script>`,
    ],
    ["Vite's overlay in a script's text", "<script>tag = '<vite-error-overlay>'</script>"],
    ["LiveReload in a comment", "<!-- <script src=//localhost:35729/livereload.js></script> -->"],
    ["Django's sentence", "seeing this error because you have <code>DEBUG = True</code>"],
    ["a PHP warning", "<b>Warning</b>: Undefined variable in <b>a.php</b> on line <b>3</b>"],
    ["Spring's title, and a trace", `<h2>Whitelabel Error Page</h2><pre>${JAVA_TRACE}</pre>`],
    ["a Java trace", `<pre>${JAVA_TRACE}</pre>`],
    ["a Node.js trace", `<pre>${NODE_TRACE}</pre>`],
    ["a Python trace", `<pre><code>${PYTHON_TRACE}</code></pre>`],
    ["Express's trace", "<pre>Error: boom<br> &nbsp; &nbsp;at /srv/app.js:5:9</pre>"],
    ["a trace at both ends", `<pre>${NODE_TRACE}</pre>${ARTICLE}<pre>${NODE_TRACE}</pre>`],
    ["a PHP trace", "<pre>Stack trace:\n#0 {main}</pre>"],
    [
      "Laravel's frames",
      "<pre>vendor/laravel/framework/src/Illuminate/Routing/Router.php:12</pre>",
    ],
    ["IIS's link to the directory above", '<pre><A HREF="/">[To Parent Directory]</A></pre>'],
    ["Laravel's badge", "<p>LARAVEL</p><span>12.40.1</span>"],
    ["Laravel's versions", "<p>PHP 8.4.1 — Laravel 12.1.0"],
    ["Laravel's button", "<p>Copy as Markdown<script>const markdown = 2</script>"],
    ["Phoenix's title", "<p>Phoenix.Router.NoRouteError at GET /tea"],
    ["Phoenix's class", '<pre>&lt;div class="exception-info"></pre>'],
    ["Xdebug's table in a comment", "<!-- <table class='xdebug-error xe-notice'> -->"],
    ["Xdebug's table in <pre>", "<pre>&lt;table class='xdebug-error xe-notice'></pre>"],
    ["Django's toolbar in <pre>", '<pre>&lt;div id="djDebug"></pre>'],
    ["MiniProfiler's script in <code>", '<code>&lt;script id="mini-profiler"></code>'],
    ["the debug bar's script in a string", "<script>const s = 'PhpDebugBar.DebugBar()'</script>"],
    [
      "Next.js's build in data of another",
      '<script type="application/json">{"buildId":"development"}</script>',
    ],
    [
      "Next.js's build in the text of a page",
      '<script id="__NEXT_DATA__" type="application/json">{"text":"{\\"buildId\\":\\"development\\"}","buildId":"x1"}</script>',
    ],
    [
      "esbuild's line behind a condition",
      "<script>if (isLocal)\n  new EventSource('/esbuild')</script>",
    ],
    ["esbuild's line in <pre>", "<pre>new EventSource('/esbuild')</pre>"],
    ["LiveReload's name", '<p>/livereload.js?port=1313<script src="/a/livereload.js"></script>'],
    ["an exception's class", "<p>java.lang.NullPointerException: at com.acme.Shop.buy</p>"],
  ])("%s", async (_name, quote) => {
    const article = page("Errors, and what they tell", `<h1>Errors</h1>${quote}${ARTICLE}`);
    expect(await findLeak(await readPageTexts(article))).toBeNull();
  });

  it.each([
    ["IIS default page: what iisstart.png is", "<h1>iisstart.htm</h1>"],
    ["IIS default page", "<p>iisstart.htm is the page of a server without one.</p>"],
    [
      "Apache Tomcat, step by step",
      "<blockquote><h2>If you're seeing this, you've successfully installed Tomcat</h2></blockquote>",
    ],
    ["Apache2 Default Page: It works! What now?", "<p>It works"],
    ["How to change the Plesk Default page", "<p>Plesk"],
    ["Welcome to WildFly 33: a tour", "<p>Administration Console"],
    ["Laravel", '<a href="https://laravel.com/docs">Docs</a>'],
    ["Create Next App", "<h1>Teas</h1><p>By the leaf</p>"],
    ["Create Next App: a tour", "<p>Get started by editing <code>app/page.tsx</code>."],
    ["Ruby on Rails: find your version", "<p>Rails version: 7"],
    ["Index of /: how to hide it", "<h1>Index of /: how to hide it</h1>"],
    ["phpinfo()", "<h1>phpinfo()</h1><p>PHP Version"],
    ["500 errors, explained", `<pre>${NODE_TRACE}</pre>${ARTICLE}`],
    ["Error", `<pre>${PYTHON_TRACE}</pre>${ARTICLE}`],
    ["HTTP Status 500 – how to mend it", `<pre>${JAVA_TRACE}</pre>${ARTICLE}${ARTICLE}`],
    ["Welcome to nginx!", `<h1>Welcome to nginx!</h1>${ARTICLE.repeat(20)}`],
  ])("by its title: %s", async (title, body) => {
    expect(await findLeak(await readPageTexts(page(title, body)))).toBeNull();
  });
});

describe("findLeak recognizes", () => {
  it.each([
    ["nginx default page", page("Welcome to nginx!", "<h1>Welcome to nginx!</h1>")],
    [
      "Apache default page",
      page("Apache2 Ubuntu Default Page: It works", "<span>It works!</span>"),
    ],
    ["Apache default page", "<html><body><h1>It works!</h1></body></html>\n"],
    ["IIS default page", page("IIS Windows Server", '<img src="iisstart.png" alt="IIS">')],
    ["Caddy default page", page("Caddy works!", "<h1>Congratulations!</h1>")],
    [
      "Tomcat default page",
      page(
        "Apache Tomcat/10.1.19",
        "<h2>If you're seeing this, you've successfully installed Tomcat. Congratulations!</h2>",
      ),
    ],
    [
      "Next.js default page",
      page("Create Next App", "<li>Get started by editing <code>app/page.tsx</code>.</li>"),
    ],
    [
      "Next.js default page",
      page("Create Next App", "<h1>To get started, edit the page.tsx file.</h1>"),
    ],
    [
      "directory index",
      "<html>\r\n<head><title>Index of /</title></head>\r\n<body>\r\n<h1>Index of /</h1><hr><pre>",
    ],
    [
      "directory index",
      page("Directory listing for /", "<h1>Directory listing for /</h1><hr><ul>"),
    ],
    [
      "directory index",
      page("example.com - /", '<H1>example.com - /</H1><A HREF="/">[To Parent Directory]</A>'),
    ],
    [
      "Django debug page",
      page(
        "ValueError at /",
        "You’re seeing this error because you have <code>DEBUG = True</code> in your",
      ),
    ],
    [
      "Werkzeug debugger",
      page("ValueError: x\n // Werkzeug Debugger", '<script src="?__debugger__=yes"></script>'),
    ],
    [
      "Rails error page",
      page("Action Controller: Exception caught", "<p><code>Rails.root: /srv/app</code></p>"),
    ],
    ["Laravel error page", page("x", "<script>window.ignite({})</script>")],
    [
      "Laravel error page",
      page("x", "<script>\n  window.data = {};\n  window.ignite(window.data);\n</script>"),
    ],
    [
      "Django debug page",
      page(
        "Erreur",
        '<div id="explanation"><p>You’re seeing this error because you have <code>DEBUG = True</code>',
      ),
    ],
    [
      "Next.js dev server",
      page("Shop", '<script src="/_next/static/development/_buildManifest.js"></script>'),
    ],
    ["Next.js dev server", page("Shop", "<nextjs-portal></nextjs-portal>")],
    ["IIS default page", page("IIS7", '<img src="welcome.png" alt="IIS7">')],
    ["Plesk default page", page("Domain Default page", "<p>Powered by Plesk")],
    [
      "page of a marketplace for domains",
      page("tea.com is for sale | HugeDomains", `<h1>tea.com</h1>${PROSE}`),
    ],
    ["GoDaddy parking page", '<script>window.onload=()=>{window.location.href="/lander"}</script>'],
    ["Symfony error page", page("x", '<div class="exception-message-wrapper">')],
    [
      "PHP error",
      page(
        "Shop",
        "<br />\n<b>Warning</b>:  Undefined variable $a in <b>/srv/a.php</b> on line <b>3</b><br />",
      ),
    ],
    ["PHP error", page("Shop", `\n${PHP_WARNING}<h1>Tea</h1>`)],
    ["PHP error", `\n${PHP_WARNING}${page("Shop", "<h1>Tea</h1>")}`],
    [
      "PHP error",
      page(
        "Shop",
        "<p>Tea</p>\nFatal error: Uncaught Error: no in C:\\shop\\a.php:3\nStack trace:\n",
      ),
    ],
    ...["exception", "class"].map((name) => [
      "Laravel or Symfony error in JSON",
      JSON.stringify({ message: "x", [name]: "Http\\Missing", trace: [{ file: "/srv/a.php" }] }),
    ]),
    ["phpinfo", page("PHP 8.3.1 - phpinfo()", "<h1>PHP Version 8.3.1</h1>")],
    [
      "Express stack trace",
      page("Error", "<pre>Error: boom<br> &nbsp; &nbsp;at /srv/app.js:5:9</pre>"),
    ],
    [
      "Tomcat stack trace",
      page("HTTP Status 500 – Internal Server Error", `<pre>${JAVA_TRACE}</pre>`),
    ],
    [
      "Spring Boot stack trace",
      `<html><body><h1>Whitelabel Error Page</h1><div>${JAVA_TRACE}</div>`,
    ],
    ["ASP.NET error page", page("x", "<H1>Server Error in '/' Application.<hr></H1>")],
    [
      "ASP.NET error page",
      page(
        "The resource cannot be found.",
        "<H1>Server Error in '/' Application.<hr></H1><b>Version Information:</b>&nbsp;ASP.NET Version:4.8",
      ),
    ],
    ["Vite dev server", page("Shop", '<script type="module" src="/@vite/client"></script>')],
    [
      "Next.js dev server",
      page("Shop", '<script src="/_next/static/chunks/main-app.js?v=17" async=""></script>'),
    ],
    [
      "webpack dev server",
      page("Shop", '<script src="/node_modules/webpack-dev-server/client/index.js"></script>'),
    ],
    [
      "CakePHP default page",
      page(
        "\n CakePHP: the rapid development PHP framework:\n home",
        "<small>Please be aware that this page will not be shown if you turn off debug mode unless you replace it.</small>",
      ),
    ],
    [
      "Laravel error page",
      page("Laravel", '<span class="text-sm text-gray-500">PHP 8.4.1 — Laravel 12.1.0</span>'),
    ],
    [
      "Laravel error page",
      page(
        "Laravel",
        "<script>\n    const markdown = '# RuntimeException - Internal Server Error'</script><span x-text=\"copied ? 'Copied' : 'Copy as Markdown'\"></span>",
      ),
    ],
    [
      "Laravel error page",
      page(
        "Laravel",
        '<h1 class="text-3xl">RuntimeException</h1><span class="text-neutral-400">LARAVEL</span>\n      <span class="text-neutral-500">12.40.1</span>',
      ),
    ],
    [
      "Phoenix debug page",
      page("Phoenix.Router.NoRouteError at GET /tea", "<h1>Phoenix.Router.NoRouteError</h1>"),
    ],
    [
      "Phoenix debug page",
      page("x", '<form class="action-form" action="/__plug__/debugger/action" method="POST">'),
    ],
    [
      "Xdebug error",
      page(
        "Shop",
        "<br />\n<font size='1'><table class='xdebug-error xe-notice' dir='ltr' border='1'>",
      ),
    ],
    ["Django Debug Toolbar", page("Shop", '<div id="djDebug" class="djdt-hidden" dir="ltr">')],
    ["Flask debug toolbar", page("Shop", '<div id="flDebug" style="display:none;">')],
    [
      "PHP DebugBar",
      page("Shop", "<script>var phpdebugbar = new PhpDebugBar.DebugBar();</script>"),
    ],
    ["PHP DebugBar", page("Shop", '<script src="/_debugbar/assets/javascript?v=1"></script>')],
    [
      "MiniProfiler",
      page(
        "Shop",
        '<script async type="text/javascript" id="mini-profiler" src="/mini-profiler-resources/includes.js?v=1"></script>',
      ),
    ],
    [
      "Yii debug toolbar",
      page("Shop", '<div id="yii-debug-toolbar" data-url="/debug/default/toolbar">'),
    ],
    ["CodeIgniter debug toolbar", page("Shop", '<div id="debug-icon" class="debug-bar-ndisplay">')],
    [
      "Tracy debug bar",
      page("Shop", '<script src="/?_tracy_bar=js&v=2.10" data-id="a" async></script>'),
    ],
    ["CakePHP DebugKit", page("Shop", '<script id="__debug_kit_script" data-id="1"></script>')],
    [
      "Next.js dev server",
      page(
        "Shop",
        '<script id="__NEXT_DATA__" type="application/json">{"page":"/","buildId":"development"}</script>',
      ),
    ],
    [
      "Next.js dev server",
      page(
        "Shop",
        '<script>self.__next_f.push([1,"0:{\\"P\\":null,\\"b\\":\\"development\\"}"])</script>',
      ),
    ],
    ["SvelteKit dev server", page("Shop", "<script>\n\t__sveltekit_dev = {\n</script>")],
    [
      "SvelteKit dev server",
      page(
        "Shop",
        '<script>import { start } from "/node_modules/@sveltejs/kit/src/runtime/client/start.js"</script>',
      ),
    ],
    [
      "Vite dev server",
      page("Shop", '<script type="module">import { hook } from "/@react-refresh"</script>'),
    ],
    [
      "Laravel error page",
      page("x", '<script>window.data = {"report":{"notifier":"Laravel Client"}}</script>'),
    ],
    [
      "esbuild live reload",
      page(
        "Shop",
        "<script>\n new EventSource('/esbuild').addEventListener('change', () => location.reload())</script>",
      ),
    ],
    ["Live Server", page("Shop", "<script>console.log('Live reload enabled.');</script>")],
    [
      "LiveReload",
      page("Shop", '<script src="/livereload.js?mindelay=10&v=2&port=1313"></script>'),
    ],
    [
      "PHP stack trace",
      "RuntimeException: boom\n#0 vendor/laravel/framework/src/Illuminate/Routing/Router.php:12\n#1 public/index.php:5",
    ],
    ["Node.js stack trace", NODE_TRACE],
    ["Node.js stack trace", JSON.stringify({ message: "boom", stack: NODE_TRACE })],
    ["Python stack trace", page("Our shop", `<pre>${PYTHON_TRACE}</pre>`)],
    ["Java stack trace", page("Error", `<pre>${JAVA_TRACE}</pre>`)],
    ["Python stack trace", page("500 Internal Server Error", `<pre>${PYTHON_TRACE}</pre>`)],
    [
      ".NET stack trace",
      "System.Exception: x\n   at Acme.Shop.Buy(Int32 id) in /src/Shop.cs:line 12",
    ],
    ["Ruby stack trace", "/srv/app.rb:3:in `buy': boom (RuntimeError)"],
    ["Go stack trace", "panic: boom\n\ngoroutine 1 [running]:\nmain.main()"],
    ["PHP stack trace", "PHP Fatal error: x\nStack trace:\n#0 {main}"],
  ])("%s", async (signature, text) => {
    expect((await findLeak(await readPageTexts(text)))?.signature).toBe(signature);
  });

  it("with its position", async () => {
    const text = page("Shop", '<script type="module" src="/@vite/client"></script>');
    expect((await findLeak(await readPageTexts(text)))?.offset).toBe(text.indexOf("<script"));
    const nginx = await readPageTexts(page("Welcome to nginx!", "<h1>Welcome to nginx!</h1>"));
    expect((await findLeak(nginx))?.offset).toBe(28);
  });
});
