// Runs Lighthouse with its default settings (a phone with a slow processor on a slow network) on routes of the built page, served
// compressed, with long caching of files whose names contain a hash. Prints the medians of three runs as one table; exits with 1 if
// a score is below its bar. Lighthouse's slow-down by 4 assumes a fast machine. As its documentation recommends, the slow-down is
// calibrated before each run by Lighthouse's index of the processor (“machine”), so that every machine simulates the same phone.
// An index below 438 cannot be calibrated; its scores are too low.
// Called by scripts/lighthouse. Arguments: the folder of the built page, and routes.
import { createServer } from "node:http";
import { readdir, readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const BARS = { performance: 95, accessibility: 100, "best-practices": 100, seo: 100 };
const METRICS = {
  "first-contentful-paint": "first paint",
  "largest-contentful-paint": "largest paint",
  "total-blocking-time": "blocking",
  "cumulative-layout-shift": "shift",
};
const RUNS = 3;
// Index of the phone: that of a fast machine (1,500 to 2,000), slowed down by 4.
const PHONE_INDEX = 1750 / 4;
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
  ".csv": "text/csv",
  ".md": "text/plain; charset=utf-8",
};

const [dist, ...given] = process.argv.slice(2);
const tools = createRequire(new URL("../.tools/package.json", import.meta.url));
const tool = (name) => import(pathToFileURL(tools.resolve(name)).href);
const { default: lighthouse, defaultConfig } = await tool("lighthouse");
const { launch } = await tool("chrome-launcher");
const { connect } = await tool("puppeteer-core");
const { pageFunctions } = await import(new URL("core/lib/page-functions.js", pathToFileURL(tools.resolve("lighthouse/package.json"))));

// Every file is read and compressed beforehand, as on a host with static compression.
const files = new Map();
for (const name of await readdir(dist, { recursive: true })) {
  const path = join(dist, name);
  if (!(await stat(path)).isFile()) continue;
  const plain = await readFile(path);
  const packed = gzipSync(plain, { level: 9 });
  files.set(name, packed.length < 0.9 * plain.length ? { body: packed, packed: true } : { body: plain, packed: false });
}
const server = createServer(({ url }, answer) => {
  const { pathname, searchParams } = new URL(url, "http://host");
  const name = decodeURIComponent(pathname.slice(1)) || "index.html";
  const file = files.get(name);
  if (!file) return answer.writeHead(404).end();
  // The addresses of all files but index.html and the service worker contain the build.
  const lasting = searchParams.has("v") || /-[0-9a-f]{8,}[._]/.test(name) || name.startsWith("fonts/");
  const headers = {
    "Content-Type": TYPES[extname(name)] ?? "application/octet-stream",
    "Content-Length": file.body.length,
    "Cache-Control": lasting ? "public, max-age=31536000, immutable" : "no-cache",
  };
  if (file.packed) headers["Content-Encoding"] = "gzip";
  answer.writeHead(200, headers).end(file.body);
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const host = `http://127.0.0.1:${server.address().port}/`;

const withChrome = async (work) => {
  const chrome = await launch({ chromeFlags: ["--headless=new", "--no-sandbox", "--no-proxy-server", "--disable-gpu"] });
  try {
    return await work(chrome.port);
  } finally {
    chrome.kill();
  }
};
// Returns the largest of several values of Lighthouse's index of the processor: the others were disturbed.
const processorIndex = (times) =>
  withChrome(async (port) => {
    const browser = await connect({ browserURL: `http://127.0.0.1:${port}` });
    const page = await browser.newPage();
    const indices = [];
    for (let time = 0; time < times; time++) indices.push(await page.evaluate(pageFunctions.computeBenchmarkIndex));
    await browser.disconnect();
    return Math.max(...indices);
  });
const audit = async (route) => {
  const machine = await processorIndex(3);
  return withChrome(async (port) => {
    const cpuSlowdownMultiplier = Math.max(1, machine / PHONE_INDEX);
    const throttling = { ...defaultConfig.settings.throttling, cpuSlowdownMultiplier };
    const options = { port, onlyCategories: Object.keys(BARS), logLevel: "error", throttling };
    const { lhr } = await lighthouse(host + route, options);
    if (lhr.runtimeError) throw new Error(`${route}: ${lhr.runtimeError.message}`);
    return { ...lhr, machine };
  });
};
const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
// Failed audits of the categories whose bar is 100.
const faults = ({ categories, audits }) =>
  Object.entries(BARS)
    .filter(([, bar]) => bar === 100)
    .flatMap(([name]) => categories[name].auditRefs.filter(({ id, weight }) => weight && audits[id].score !== null && audits[id].score < 1))
    .map(({ id }) => `${audits[id].title}: ${(audits[id].details?.items ?? []).map((item) => item.node?.snippet ?? item.description).join(" ")}`);

const [tag] = /<meta[^>]*name="?pages\b[^>]*>/.exec(await readFile(join(dist, "index.html"), "utf8")) ?? [];
const pages = /content="?([^">]*)/.exec(tag)?.[1];
if (!pages) throw new Error(`${dist} is no built page`);
const routes = given.length ? given : ["#/", "#/papers", ...pages.split(" ").map((page) => `#/${page}`)];

const line = (cells) => console.log(cells.map((cell, i) => String(cell)[i ? "padStart" : "padEnd"](i ? 15 : 18)).join(""));
line(["median of " + RUNS, ...Object.keys(BARS), ...Object.values(METRICS), "machine", "verdict"]);
let missed = false;
for (const route of routes) {
  const runs = [];
  for (let run = 0; run < RUNS; run++) runs.push(await audit(route));
  const scores = Object.keys(BARS).map((name) => Math.round(100 * median(runs.map((run) => run.categories[name].score))));
  const metrics = Object.keys(METRICS).map((id) => {
    const value = median(runs.map((run) => run.audits[id].numericValue));
    return id.endsWith("shift") ? value.toFixed(3) : `${Math.round(value)} ms`;
  });
  const below = scores.some((score, i) => score < Object.values(BARS)[i]);
  missed ||= below;
  const machine = Math.round(median(runs.map((run) => run.machine)));
  line([route, ...scores, ...metrics, machine, below ? "below" : "ok"]);
  for (const fault of new Set(runs.flatMap(faults))) console.log(`    ${fault}`);
}
server.close();
process.exit(missed ? 1 : 0);
