// Bundles the pages and writes them as C++: build.mjs NODE_MODULES OUTPUT.cpp
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [modules, output] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const esbuild = createRequire(join(modules, "x.js"))("esbuild");

/** One page as text: scripts and styles stand where its HTML has their marks. */
function page(folder) {
  const source = join(here, "src", folder);
  const bundle = (entry) =>
    esbuild.buildSync({
      entryPoints: [join(source, entry)],
      bundle: true,
      minify: true,
      write: false,
      format: "iife",
      target: "es2020",
      charset: "ascii",
      legalComments: "none",
      nodePaths: [modules],
    }).outputFiles[0].text;
  const script = bundle("main.js").replaceAll("</script", "<\\/script");
  return readFileSync(join(source, "index.html"), "utf8")
    .replace("/*styles*/", () => bundle("style.css"))
    .replace("/*scripts*/", () => script);
}

/** A string literal a line; octal escapes end after three digits, whatever follows. */
function literal(bytes) {
  const lines = [];
  for (let begin = 0; begin < bytes.length; begin += 2000) {
    let line = "";
    for (const byte of bytes.subarray(begin, begin + 2000)) {
      const plain = byte >= 32 && byte < 127 && byte !== 34 && byte !== 92 && byte !== 63;
      line += plain ? String.fromCharCode(byte) : "\\" + byte.toString(8).padStart(3, "0");
    }
    lines.push(`      "${line}"`);
  }
  return lines.join("\n");
}

/** A compiler need not take a literal of more than 65,536 characters. */
const kPart = 60000;

function definition(name, text) {
  const bytes = Buffer.from(text, "utf8");
  const parts = [];
  for (let begin = 0; begin < bytes.length; begin += kPart) {
    parts.push(literal(bytes.subarray(begin, begin + kPart)));
  }
  return `std::string_view ${name}() {\n  static constexpr const char* kParts[] = {\n${parts.join(",\n")}};\n` +
    `  static const std::string kText = joined(kParts);\n  return kText;\n}\n`;
}

writeFileSync(
  output,
  `#include <span>\n#include <string>\n\n#include "sim/report/page.hpp"\n\n` +
    `namespace hotline::report::detail {\n\nnamespace {\n\n` +
    `std::string joined(std::span<const char* const> parts) {\n  std::string text;\n` +
    `  for (const char* part : parts) text += part;\n  return text;\n}\n\n}  // namespace\n\n` +
    definition("report_template", page("report")) +
    "\n" +
    definition("lesson_template", page("lesson")) +
    `\n}  // namespace hotline::report::detail\n`,
);
