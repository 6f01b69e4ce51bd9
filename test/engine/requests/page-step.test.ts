import { describe, expect, test } from "vitest";
import { findAssignedUrl, parseRefresh } from "../../../server/engine/requests/body/page-step.ts";

describe("parseRefresh", () => {
  test.each([
    ["0; url=/en/", 0, "/en/"],
    ["0;URL='/en/'", 0, "/en/"],
    [' 1 , "/en/" x', 1, "/en/"],
    ["5 /en/", 5, "/en/"],
    ["0.9;url = en/ ", 0, "en/"],
    [".5; url=en", 0, "en"],
    ["30", 30, ""],
    ["0;", 0, ""],
    ["0; url", 0, "url"],
  ])("%j", (value, seconds, url) => {
    expect(parseRefresh(value)).toEqual({ seconds, url });
  });

  test.each(["", "; url=/en/", "url=/en/", "1x; url=/en/", "-1; url=/en/"])("not %j", (value) => {
    expect(parseRefresh(value)).toBeUndefined();
  });
});

describe("findAssignedUrl", () => {
  test.each([
    ["location = '/en/'", "/en/"],
    ['window.location.href="/en/";', "/en/"],
    ["self.location.replace('/en/')", "/en/"],
    ["top.location.assign(`/en/`);", "/en/"],
    ["window.top.location = '/en/'", "/en/"],
    ["document . location = '/en/' ;", "/en/"],
    ["<!--\nlocation.href = '/en/';\n//-->", "/en/"],
    ["/* go */ 'use strict'; location = '\\/en\\x2f' // there", "/en/"],
    ["(function(){ window.location.replace('start/'); }());", "start/"],
    ["(function () { location = 'start/' })();", "start/"],
    ["(() => { 'use strict'; location.href = 'start/'; })();", "start/"],
    ["!function(){location='start/'}()", "start/"],
    ["void function(){location='start/'}()", "start/"],
  ])("%j", (script, url) => {
    expect(findAssignedUrl(script)).toBe(url);
  });

  test.each([
    "if (mobile) location = '/m/'",
    "mobile && (location = '/m/')",
    "location = mobile ? '/m/' : '/d/'",
    "location = '/en/' + location.hash",
    "location = url",
    "location == '/en/'",
    "location.hash = 'top'",
    "location.pathname = '/en/'",
    "foo.location = '/en/'",
    "var location = '/en/'",
    "location.reload()",
    "location.replace('/en/', 1)",
    "location = `/${language}/`",
    "function go() { location = '/en/' }",
    "onload = function () { location = '/en/' }",
    "setTimeout(function () { location = '/en/' }, 9)",
    "document.cookie = 'a=b'; location = '/en/'",
    "location = '/en/'; show()",
    "// location = '/en/'",
    "'location = 1'",
    "location = '\\u{65}n'",
    "location",
    "",
    `location = '/en/'${" ".repeat(1000)}`,
  ])("not %j", (script) => {
    expect(findAssignedUrl(script)).toBeUndefined();
  });
});
