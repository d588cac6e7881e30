// Builds the page into the resources of the module. With --check it only says whether what is
// committed there is what the sources build to.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "../resources/dev/recloser/console/page");
const check = process.argv.includes("--check");

const common = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "inline",
  outdir: "out",
  write: false,
};
const worker = await build({ ...common, entryPoints: { worker: "src/worker.ts" } });
const page = await build({
  ...common,
  entryPoints: { console: "src/main.ts" },
  define: { WORKER_VERSION: JSON.stringify(hashOf(worker.outputFiles[0].text)) },
  banner: { js: "// Built from src/main/web; do not edit. Plots by uPlot, (c) 2022 Leon Sorokin, MIT License." },
});
const outputs = [...worker.outputFiles, ...page.outputFiles];
const files = new Map(outputs.map((file) => [file.path.split(/[\\/]/).pop(), file.text]));
files.set("index.html", readFileSync(join(here, "src/index.html"), "utf8"));
files.set("icon.svg", readFileSync(join(here, "src/icon.svg"), "utf8"));

/** Tabs of an older page go on with its worker, and those of this one have this one's. */
function hashOf(text) {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

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
