import type { Signature } from "./signature.ts";

/** The default page of a server or framework, as opposed to an article about one. */
const MAX_DEFAULT_TEXT = 5000;
/** Most visible characters of a page that a script renders, before it runs. */
const MAX_SHELL_TEXT = 1000;

/** Default pages, directory indexes and parking pages, recognised by markup that only the product itself writes. */
export const DEFAULT_PAGES: readonly Signature[] = [
  {
    name: "nginx default page",
    title: /^Welcome to nginx(?: on [^!]+)?!$/,
    text: "<h1>Welcome to nginx",
    maxText: MAX_DEFAULT_TEXT,
  },
  {
    name: "nginx default page",
    title: /^Test Page for the Nginx HTTP Server(?: on [\w ]+)?$/i,
    text: "default index page",
    maxText: MAX_DEFAULT_TEXT,
  },
  {
    name: "OpenResty default page",
    title: /^Welcome to OpenResty!$/,
    text: "<h1>Welcome to OpenResty",
    maxText: MAX_DEFAULT_TEXT,
  },
  {
    name: "Apache default page",
    title: /^Apache2 (?:\w+ )?Default Page(?:: It works)?$/,
    text: "It works",
    maxText: MAX_DEFAULT_TEXT,
  },
  { name: "Apache default page", title: /^It works! Apache httpd$/, maxText: MAX_SHELL_TEXT },
  {
    name: "Apache default page",
    title:
      /^(?:Test Page for the (?:Apache )?HTTP Server|(?:Apache )?HTTP Server Test Page)(?: (?:on|powered by:?) [\w ]+)?$/i,
    text: "proper operation",
    maxText: MAX_DEFAULT_TEXT,
  },
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
  { name: "Caddy default page", title: /^Caddy works!$/, maxText: MAX_DEFAULT_TEXT },
  {
    name: "Tomcat default page",
    title: /^Apache Tomcat(?:\/[\d.]\S*)?$/,
    also: /<h2>If you're seeing this, you've successfully installed Tomcat/,
    maxText: MAX_DEFAULT_TEXT,
  },
  {
    name: "WildFly default page",
    title: /^Welcome to (?:WildFly|JBoss(?: EAP| AS)?)(?: [\d.]+)?$/,
    text: "Administration Console",
    maxText: MAX_DEFAULT_TEXT,
  },
  {
    name: "lighttpd default page",
    title: /^Welcome page$/,
    text: "replace this page with your own web pages",
    maxText: MAX_DEFAULT_TEXT,
  },
  {
    name: "Plesk default page",
    title:
      /^(?:(?:(?:Domain|(?:Web )?Server(?:'|&#39;|’)?s?) )?Default page|Default (?:Parallels )?Plesk (?:Panel )?Page)$/i,
    text: "Plesk",
    maxText: MAX_DEFAULT_TEXT,
  },
  {
    name: "cPanel default page",
    title: /^Default Web ?Site Page$/i,
    text: "cPanel",
    maxText: MAX_DEFAULT_TEXT,
  },
  { name: "XAMPP default page", title: /^Welcome to XAMPP$/, maxText: MAX_DEFAULT_TEXT },
  {
    name: "Azure default page",
    title: /^(?:Microsoft )?Azure (?:App Service|Web App)[^:|?]{0,40}$/,
    text: "waiting for your content",
    maxText: MAX_DEFAULT_TEXT,
  },
  {
    name: "Firebase default page",
    title: /^Welcome to Firebase Hosting$/,
    text: "Setup Complete",
    maxText: MAX_DEFAULT_TEXT,
  },
  {
    name: "Heroku default page",
    title: /^Heroku \| Welcome to your new app!$/,
    maxText: MAX_DEFAULT_TEXT,
  },
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
    name: "CakePHP default page",
    title: /^CakePHP: the rapid development/,
    text: "Please be aware that this page will not be shown if you turn off debug mode",
    maxText: MAX_DEFAULT_TEXT,
  },
  {
    name: "Symfony default page",
    title: /^Welcome to Symfony!?$/,
    text: '"https://symfony.com/doc',
    maxText: MAX_DEFAULT_TEXT,
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
    name: "Django default page",
    title: /^The install worked successfully! Congratulations!$/,
    maxText: MAX_DEFAULT_TEXT,
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

  { name: "directory index", title: /^Files within /, also: /<[a-z]{1,9} id="files"/ },
  {
    name: "directory index",
    title: /^[^\s/]+ - \/[^:?!|]*$/,
    also: /<A HREF="[^"<>]{1,500}">\[To Parent Directory\]<\/A>/,
  },
];
