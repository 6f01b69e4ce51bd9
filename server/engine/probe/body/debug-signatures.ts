import type { Signature } from "./signature.ts";

/** Most visible characters of a page that a script renders, before it runs. */
const MAX_SHELL_TEXT = 1000;

/**
 * Exception pages, debug toolbars and development servers, recognised by markup that only the product itself writes: a
 * page about it would have to escape it.
 */
export const DEBUG_PAGES: readonly Signature[] = [
  {
    name: "Django debug page",
    title: /^(?:\w+|Page not found) at \/\S*$/,
    text: "seeing this error because you have <code>DEBUG = True</code>",
  },
  {
    name: "Django debug page",
    text: "seeing this error because you have <code>DEBUG = True</code>",
    also: /<[a-z]{1,10} id="explanation"/,
  },
  {
    name: "Werkzeug debugger",
    title: /\/\/ Werkzeug (?:Powered Traceback|Debugger)/,
    also: /<(?:script|link)[^<>]{0,200}\?__debugger__=/,
  },
  { name: "Starlette debugger", title: /^Starlette Debugger$/ },
  { name: "Rails error page", title: /^Action Controller: Exception caught$/, text: "Rails.root:" },
  {
    name: "Laravel error page",
    code: /\n[ \t]{0,80}window\.ignite\(|\bwindow\.data = \{"report":\{"notifier":/,
    maxText: MAX_SHELL_TEXT,
  },
  {
    name: "Symfony error page",
    text: 'class="exception-message-wrapper"',
    also: /<[^<>]{1,100} class="exception-message-wrapper"/,
  },
  {
    name: "Laravel error page",
    also: /<span[^<>]{0,150}>\s{0,80}PHP \d[\w.-]{1,20} (?:—|&mdash;) Laravel \d/,
  },
  {
    name: "Laravel error page",
    text: "Copy as Markdown",
    code: /\bconst markdown = ['"]# /,
  },
  { name: "Phoenix debug page", title: /^[A-Z]\w*(?:\.[A-Z]\w*){0,8} at [A-Z]{3,7} \/\S*$/ },
  { name: "Phoenix debug page", also: /<form[^<>]{0,100} action="\/__plug__\/debugger\/action"/ },
  { name: "Xdebug error", also: /<table class=['"]xdebug-error[ '"]/ },
  { name: "Django Debug Toolbar", also: /<div[^<>]{0,100} id="djDebug"/ },
  { name: "Flask debug toolbar", also: /<div[^<>]{0,100} id="flDebug"/ },
  { name: "PHP DebugBar", code: /\bvar phpdebugbar = new \w/ },
  { name: "PHP DebugBar", also: /<(?:script|link)[^<>]{0,200}\/_debugbar\/assets\// },
  { name: "MiniProfiler", also: /<script[^<>]{0,300} id=["']mini-profiler["']/ },
  { name: "Yii debug toolbar", also: /<div id="yii-debug-toolbar"/ },
  { name: "CodeIgniter debug toolbar", also: /<div id="debug-icon" class="debug-bar-/ },
  { name: "CodeIgniter debug toolbar", also: /<script[^<>]{0,300} id="debugbar_loader"/ },
  { name: "Tracy debug bar", also: /<script[^<>]{0,300}[?&]_tracy_bar=/ },
  { name: "CakePHP DebugKit", also: /<script[^<>]{0,300} id="__debug_kit_script"/ },
  { name: "Symfony debug toolbar", text: 'id="sfwdt', also: /<[^<>]{1,100} id="sfwdt/ },
  {
    name: "Whoops error page",
    text: 'class="Whoops container"',
    also: /<[^<>]{1,100} class="Whoops container"/,
  },
  {
    name: "PHP error",
    text: "</b> on line <b>",
    also: /<br ?\/?>\s?<b>(?:(?:Fatal|Parse|(?:Recoverable|Catchable) fatal) error|Warning|Notice|Deprecated)<\/b>: /,
  },
  {
    name: "phpinfo",
    title: /^(?:PHP \d\S* - )?phpinfo\(\)$/,
    also: /<h1[^<>]{0,50}>PHP Version \d/,
  },
  { name: "ASP.NET error page", also: /<H1>Server Error in '[^']{1,200}' Application\./ },
  {
    name: "ASP.NET developer error page",
    text: 'class="rawException',
    also: /<[^<>]{1,100} class="rawException/,
  },

  { name: "Vite dev server", also: /<script[^<>]{0,200}\/@vite\/client"/ },
  { name: "Vite dev server", also: /<vite-error-overlay[\s/>]/ },
  {
    name: "Next.js dev server",
    also: /<script[^<>]{0,200}\/_next\/static\/development\/_buildManifest\.js/,
  },
  {
    name: "Next.js dev server",
    also: /<script[^<>]{0,200}\/_next\/static\/chunks\/(?:react-refresh\.js|main-app\.js\?v=)/,
  },
  {
    name: "Next.js dev server",
    also: /<script[^<>]{0,200}\/_next\/static\/chunks\/[^"]{0,40}turbopack[^"]{0,8}_browser_dev/,
  },
  { name: "Next.js dev server", also: /<nextjs-portal[\s/>]/ },
  {
    name: "Next.js dev server",
    also: /<script[^<>]{0,100} id="__NEXT_DATA__"/,
    code: /"buildId":"development"/,
  },
  {
    name: "Next.js dev server",
    code: /\bself\.__next_f\.push\(\[1,"0:\{[^\n]{0,300}\\"b\\":\\"development\\"/,
  },
  { name: "SvelteKit dev server", code: /\n[ \t]{0,80}__sveltekit_dev = \{/ },
  {
    name: "SvelteKit dev server",
    code: /\bfrom "\/node_modules\/@sveltejs\/kit\/src\/runtime\/client\//,
  },
  { name: "Vite dev server", code: /\bfrom "\/@(?:react-refresh|vite\/client)"/ },
  {
    name: "esbuild live reload",
    code: /(?:;\s{0,80}|\n\n[ \t]{0,80})new EventSource\(["'`]\/esbuild["'`]\)/,
  },
  { name: "Live Server", code: /\bconsole\.log\(["']Live reload enabled\.["']\)/ },
  { name: "webpack dev server", also: /<script[^<>]{0,200}\bwebpack-dev-server/ },
  {
    name: "webpack dev server",
    text: 'id="webpack-dev-server-client-overlay"',
    also: /<[^<>]{1,100} id="webpack-dev-server-client-overlay"/,
  },
  { name: "BrowserSync", text: 'id="__bs_script__"', also: /<[^<>]{1,100} id="__bs_script__"/ },
  {
    name: "LiveReload",
    also: /<script[^<>]{0,200}(?::35729\/livereload\.js|\/livereload\.js\?(?:mindelay|port|snipver)=)/,
  },
];
