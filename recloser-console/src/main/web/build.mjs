// Builds the page into the resources of the module. With --check it only says whether what is
// committed there is what the sources build to.
import { build } from "esbuild";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "../resources/dev/recloser/console/page");
const check = process.argv.includes("--check");

const { outputFiles } = await build({
  absWorkingDir: here,
  entryPoints: { console: "src/main.ts" },
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "inline",
  banner: { js: "// Built from src/main/web; do not edit. Plots by uPlot, (c) 2022 Leon Sorokin, MIT License." },
  outdir: "out",
  write: false,
});
const files = new Map(outputFiles.map((file) => [file.path.split(/[\\/]/).pop(), file.text]));
files.set("index.html", readFileSync(join(here, "src/index.html"), "utf8"));
files.set("icon.svg", readFileSync(join(here, "src/icon.svg"), "utf8"));

mkdirSync(target, { recursive: true });
let stale = 0;
for (const [name, text] of files) {
  const file = join(target, name);
  if (existsSync(file) && readFileSync(file, "utf8") === text) {
    continue;
  }
  stale++;
  if (check) {
    console.error(`${file} is not what src/main/web builds to; run "npm run build" there`);
  } else {
    writeFileSync(file, text);
    console.log(`wrote ${file}: ${text.length} characters`);
  }
}
process.exit(check && stale > 0 ? 1 : 0);
