import type { Signature } from "./signature.ts";

/** The default page of a server or framework, as opposed to an article about one. */
const MAX_DEFAULT_TEXT = 5000;
/** Most visible characters of a page that a script renders, before it runs. */
const MAX_SHELL_TEXT = 1000;

/** The default pages of products: their titles, and what their markup has. Such a page says little. */
const DEFAULTS: readonly (readonly [product: string, title: RegExp, mark?: string | RegExp])[] = [
  ["nginx", /^Welcome to nginx(?: on [^!]+)?!$/, "<h1>Welcome to nginx"],
  ["nginx", /^Test Page for the Nginx HTTP Server(?: on [\w ]+)?$/i, "default index page"],
  ["OpenResty", /^Welcome to OpenResty!$/, "<h1>Welcome to OpenResty"],
  ["Apache", /^Apache2 (?:\w+ )?Default Page(?:: It works)?$/, "It works"],
  [
    "Apache",
    /^(?:Test Page for the (?:Apache )?HTTP Server|(?:Apache )?HTTP Server Test Page)(?: (?:on|powered by:?) [\w ]+)?$/i,
    "proper operation",
  ],
  ["Caddy", /^Caddy works!$/],
  [
    "Tomcat",
    /^Apache Tomcat(?:\/[\d.]\S*)?$/,
    /<h2>If you're seeing this, you've successfully installed Tomcat/,
  ],
  ["WildFly", /^Welcome to (?:WildFly|JBoss(?: EAP| AS)?)(?: [\d.]+)?$/, "Administration Console"],
  ["lighttpd", /^Welcome page$/, "replace this page with your own web pages"],
  [
    "Plesk",
    /^(?:(?:(?:Domain|(?:Web )?Server(?:'|&#39;|’)?s?) )?Default page|Default (?:Parallels )?Plesk (?:Panel )?Page)$/i,
    "Plesk",
  ],
  ["cPanel", /^Default Web ?Site Page$/i, "cPanel"],
  ["XAMPP", /^Welcome to XAMPP$/],
  [
    "Azure",
    /^(?:Microsoft )?Azure (?:App Service|Web App)[^:|?]{0,40}$/,
    "waiting for your content",
  ],
  ["Firebase", /^Welcome to Firebase Hosting$/, "Setup Complete"],
  ["Heroku", /^Heroku \| Welcome to your new app!$/],
  [
    "CakePHP",
    /^CakePHP: the rapid development/,
    "Please be aware that this page will not be shown if you turn off debug mode",
  ],
  ["Symfony", /^Welcome to Symfony!?$/, '"https://symfony.com/doc'],
  ["Django", /^The install worked successfully! Congratulations!$/],
];

/** Default pages, directory indexes and parking pages, recognised by markup that only the product itself writes. */
export const DEFAULT_PAGES: readonly Signature[] = [
  ...DEFAULTS.map(([product, title, mark]) => ({
    name: `${product} default page`,
    title,
    ...(typeof mark === "string" ? { text: mark } : mark && { also: mark }),
    maxText: MAX_DEFAULT_TEXT,
  })),
  {
    name: "WordPress installer",
    title: /^WordPress (?:&rsaquo;|›) (?:Installation|Setup Configuration File)$/,
    maxText: MAX_DEFAULT_TEXT,
  },
  {
    name: "Laravel default page",
    title: /^Laravel$/,
    also: /<a[^<>]{0,300}"https:\/\/(?:laracasts\.com|forge\.laravel\.com|cloud\.laravel\.com)\/?"/,
    text: '"https://laravel.com/docs',
    maxText: MAX_DEFAULT_TEXT,
  },
  {
    name: "Sedo parking page",
    also: /<(?:script|img|iframe)[^<>]{0,200}\bsedoparking\.com\//,
    maxText: MAX_DEFAULT_TEXT,
  },
  {
    name: "ParkingCrew parking page",
    also: /<(?:script|link)[^<>]{0,200}\bd38psrni17bvxu\.cloudfront\.net\//,
    maxText: MAX_DEFAULT_TEXT,
  },
  {
    name: "Bodis parking page",
    also: /<script[^<>]{0,200}\bparking\.bodiscdn\.com\//,
    maxText: MAX_DEFAULT_TEXT,
  },
  {
    name: "Namecheap parking page",
    also: /<(?:iframe|img|script)[^<>]{0,200}\bparkingpage\.namecheap\.com\b/,
    maxText: MAX_DEFAULT_TEXT,
  },
  { name: "Apache default page", title: /^It works! Apache httpd$/, maxText: MAX_SHELL_TEXT },
  {
    name: "Apache default page",
    also: /^\s?<html>\s?<body>\s?<h1>It works!<\/h1>\s?<\/body>\s?<\/html>\s?$/i,
  },
  {
    name: "IIS default page",
    title: /^(?:IIS[\d.]*(?: [\w ]{1,30})?|Microsoft Internet Information Services [\d.]+)$/,
    also: /<img[^<>]{0,200}\b(?:iisstart|iis-8\d?|welcome|ws8-brand)\.png/i,
    maxText: MAX_SHELL_TEXT,
  },
  {
    name: "Next.js default page",
    title: /^Create Next App$/,
    also: /\b(?:page|index)\.[jt]sx?\b/,
    maxText: MAX_SHELL_TEXT,
  },
  {
    name: "Rails default page",
    title: /^Ruby on Rails(?: [\d.]+)?$/,
    text: "Rails version:",
    maxText: MAX_SHELL_TEXT,
  },
  {
    name: "directory index",
    title: /^Index of \/[^:?!|]*$/,
    also: /<h[12][^<>]{0,100}>\s?Index of \/[^<>:?!|]*<\/h[12]>/i,
  },
  {
    name: "directory index",
    title: /^Directory listing for \/[^:?!|]*$/i,
    also: /<h1>Directory listing for \//i,
  },
  {
    name: "directory index",
    title: /^Directory Listing For \[/,
    text: "<h1>Directory Listing For [",
  },
  {
    name: "page of a marketplace for domains",
    title:
      /^(?:The domain name )?[\w-]+(?:\.[\w-]+)+ (?:is|may be) (?:for sale|available for purchase)\b.{0,20}\b(?:HugeDomains|Sedo|Dan\.com|Afternic|Atom|BrandBucket)\b/i,
    maxText: 10_000,
  },
  {
    name: "GoDaddy parking page",
    code: /\bwindow\.location\.href\s?=\s?["']\/lander["']/,
    maxText: MAX_SHELL_TEXT,
  },
  {
    name: "GoDaddy parking page",
    also: /<script[^<>]{0,200}\bimg1\.wsimg\.com\/parking-lander\//,
    maxText: MAX_SHELL_TEXT,
  },
  { name: "directory index", title: /^Files within /, also: /<[a-z]{1,9} id="files"/ },
  {
    name: "directory index",
    title: /^[^\s/]+ - \/[^:?!|]*$/,
    also: /<A HREF="[^"<>]{1,500}">\[To Parent Directory\]<\/A>/,
  },
];
