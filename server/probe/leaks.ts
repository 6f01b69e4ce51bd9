import type { Leak } from "./evidence.ts";
import { findSignature, findTitle, type Signature } from "./signature.ts";
import { Slice } from "./slice.ts";

const MAX_SCANNED = 262_144;
const MAX_TRACE_PAGE = 20_000;
/** A page this short, head and all, holds little besides its trace. */
const MAX_SMALL_PAGE = 4096;

/** Known by markup that only the product itself writes: a page that explains it would have to escape it. */
const SIGNATURES: readonly Signature[] = [
  {
    name: "nginx default page",
    title: /^Welcome to nginx(?: on [^!]+)?!$/,
    text: "<h1>Welcome to nginx",
  },
  {
    name: "nginx default page",
    title: /^Test Page for the Nginx HTTP Server/i,
    text: "default index page",
  },
  {
    name: "OpenResty default page",
    title: /^Welcome to OpenResty!$/,
    text: "<h1>Welcome to OpenResty",
  },
  { name: "Apache default page", title: /^Apache2 (?:\w+ )?Default Page/, text: "It works" },
  { name: "Apache default page", title: /^It works! Apache httpd$/ },
  {
    name: "Apache default page",
    title: /^(?:Test Page for the (?:Apache )?HTTP Server|(?:Apache )?HTTP Server Test Page)/i,
    text: "proper operation",
  },
  {
    name: "Apache default page",
    also: /^\s?<html>\s?<body>\s?<h1>It works!<\/h1>\s?<\/body>\s?<\/html>\s?$/i,
  },
  { name: "IIS default page", title: /^IIS\b/, text: "iisstart." },
  { name: "Caddy default page", title: /^Caddy works!$/ },
  { name: "Tomcat default page", title: /^Apache Tomcat/, text: "successfully installed Tomcat" },
  {
    name: "WildFly default page",
    title: /^Welcome to (?:WildFly|JBoss)/,
    text: "Administration Console",
  },
  {
    name: "lighttpd default page",
    title: /^Welcome page$/,
    text: "replace this page with your own web pages",
  },
  { name: "Plesk default page", title: /Default page$/i, text: "Plesk" },
  { name: "cPanel default page", title: /^Default Web ?Site Page$/i, text: "cPanel" },
  { name: "XAMPP default page", title: /^Welcome to XAMPP$/ },
  {
    name: "Azure default page",
    title: /Azure (?:App Service|Web App)/,
    text: "waiting for your content",
  },
  { name: "Firebase default page", title: /^Welcome to Firebase Hosting$/, text: "Setup Complete" },
  { name: "Heroku default page", title: /^Heroku \| Welcome to your new app!$/ },
  {
    name: "WordPress installer",
    title: /^WordPress (?:&rsaquo;|›) (?:Installation|Setup Configuration File)$/,
  },
  { name: "Laravel default page", title: /^Laravel$/, text: "https://laravel.com/docs" },
  { name: "Symfony default page", title: /^Welcome to Symfony!?$/, text: "symfony.com/doc" },
  { name: "Rails default page", title: /^Ruby on Rails/, text: "Rails version:" },
  { name: "Django default page", title: /^The install worked successfully! Congratulations!$/ },

  { name: "directory index", title: /^Index of \//, also: /<h[12][^<>]{0,100}>\s?Index of \//i },
  {
    name: "directory index",
    title: /^Directory listing for \//i,
    also: /<h1>Directory listing for \//i,
  },
  {
    name: "directory index",
    title: /^Directory Listing For \[/,
    text: "<h1>Directory Listing For [",
  },
  { name: "directory index", title: /^Files within /, text: 'id="files"' },
  { name: "directory index", also: /<A HREF="[^"<>]{1,500}">\[To Parent Directory\]<\/A>/ },

  {
    name: "Django debug page",
    text: "seeing this error because you have <code>DEBUG = True</code>",
  },
  {
    name: "Werkzeug debugger",
    title: /\/\/ Werkzeug (?:Powered Traceback|Debugger)/,
    text: "__debugger__",
  },
  { name: "Starlette debugger", title: /^Starlette Debugger$/ },
  { name: "Rails error page", title: /^Action Controller: Exception caught$/, text: "Rails.root:" },
  { name: "Laravel error page", text: "window.ignite(" },
  { name: "Symfony error page", text: 'class="exception-message-wrapper"' },
  { name: "Symfony debug toolbar", text: 'id="sfwdt' },
  { name: "Whoops error page", text: 'class="Whoops container"' },
  {
    name: "PHP error",
    text: "</b> on line <b>",
    also: /<b>(?:(?:Fatal|Parse|(?:Recoverable|Catchable) fatal) error|Warning|Notice|Deprecated)<\/b>: /,
  },
  { name: "phpinfo", title: /^(?:PHP \d\S* - )?phpinfo\(\)$/, text: "PHP Version" },
  { name: "Express stack trace", text: "<br> &nbsp; &nbsp;at ", also: /<pre>/ },
  {
    name: "Tomcat stack trace",
    title: /^(?:HTTP Status 500|Apache Tomcat\/\S+ - Error report)/,
    also: /\n\s{1,8}(?:at )?[\w$.]+\([\w$]+\.java:\d+\)/,
  },
  {
    name: "Spring Boot stack trace",
    text: "<h1>Whitelabel Error Page</h1>",
    also: /\n\s{1,8}at [\w$.]+\(/,
  },
  { name: "ASP.NET error page", also: /<H1>Server Error in '[^']{1,200}' Application\./ },
  { name: "ASP.NET developer error page", text: 'class="rawException' },

  { name: "Vite dev server", text: '/@vite/client"', also: /<script[^<>]{0,200}\/@vite\/client"/ },
  { name: "Vite dev server", text: "<vite-error-overlay" },
  { name: "Next.js dev server", text: "/_next/static/development/_buildManifest.js" },
  {
    name: "Next.js dev server",
    also: /<script[^<>]{0,200}\/_next\/static\/chunks\/(?:react-refresh\.js|main-app\.js\?v=)/,
  },
  {
    name: "Next.js dev server",
    also: /<script[^<>]{0,200}\/_next\/static\/chunks\/[^"]{0,40}turbopack[^"]{0,8}_browser_dev/,
  },
  { name: "Next.js dev server", text: "<nextjs-portal" },
  {
    name: "webpack dev server",
    text: "webpack-dev-server",
    also: /<script[^<>]{0,200}\bwebpack-dev-server/,
  },
  { name: "webpack dev server", text: 'id="webpack-dev-server-client-overlay"' },
  { name: "BrowserSync", text: 'id="__bs_script__"' },
  { name: "LiveReload", also: /<script[^<>]{0,200}:35729\/livereload\.js/ },
];

/** A bare trace counts only where it is the page: an article may well quote one. */
const TRACES: readonly Signature[] = [
  {
    name: "Python stack trace",
    text: "Traceback (most recent call last):",
    also: /\s{1,8}File (?:"|\\"|&quot;|&#34;)/,
  },
  {
    name: "Java stack trace",
    also: /(?:\n|\\n)(?:\s|\\t){1,8}at [\w$.]+\([\w$]+\.(?:java|kt|scala):\d+\)/,
  },
  {
    name: ".NET stack trace",
    also: /(?:\n|\\n) {3}at [^\n()]{1,300}\([^\n()]{0,300}\) in [^\n]{1,300}:line \d+/,
  },
  { name: "Node.js stack trace", also: /(?:\n|\\n|<br>) {4}at [^\n]{1,300}:\d+:\d+/ },
  { name: "Ruby stack trace", also: /\.rb:\d+:in [`'&]/ },
  { name: "Go stack trace", also: /\bgoroutine \d+ \[running\]:/ },
  { name: "PHP stack trace", also: /Stack trace:(?:\s|\\n){1,4}#0 / },
];
const ERROR_TITLE = /^(?:(?:internal |application )?(?:server )?error|5\d\d\b.*|traceback.*)$/i;

function isTracePage(page: string): boolean {
  if (page.length <= MAX_SMALL_PAGE) return true;
  if (page.length > MAX_TRACE_PAGE) return false;
  const title = findTitle(page);
  return !title || ERROR_TITLE.test(title.text);
}

/**
 * A default page, directory index, stack trace or dev overlay, looked for in the first 256 K characters.
 * `offset` counts characters of `page`.
 */
export async function findLeak(page: string, slice = new Slice()): Promise<Leak | null> {
  const scanned = page.slice(0, MAX_SCANNED);
  const found =
    (await findSignature(SIGNATURES, scanned, slice)) ??
    (isTracePage(page) ? await findSignature(TRACES, page, slice) : null);
  return found && { signature: found.name, offset: found.offset };
}
