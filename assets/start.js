// Starts the program. Its files are named in this script's own address, because their names change with every build and the page's
// policy allows no script inside the page itself.
const names = new URL(import.meta.url).searchParams;
// Distinguishes this build from others in the addresses of files that have no hash in their names.
const build = names.get("js");
globalThis.meanfieldBuild = build;

// Fetches and compiles the program in a worker without running it. wasm-bindgen's script runs it.
let compiled;
const compile = () => {
  compiled ??= new Promise((done, failed) => {
    const worker = new Worker(`./compile.js?v=${build}`);
    worker.onmessage = ({ data: { module, why } }) => {
      worker.terminate();
      if (module) done(module);
      else failed(new Error(why));
    };
    worker.onerror = worker.onmessageerror = () => {
      worker.terminate();
      failed(new Error("the program could not be loaded"));
    };
    worker.postMessage(new URL(names.get("wasm"), import.meta.url).href);
  });
  compiled.catch(() => (compiled = undefined)); // The next attempt may succeed.
  return compiled;
};
let started;
const start = async () => {
  const [module, glue] = await Promise.all([compile(), import(`./${names.get("js")}`)]);
  await glue.default({ module_or_path: module });
  return glue;
};
globalThis.meanfieldProgram = () => {
  started ??= start();
  started.catch(() => (started = undefined));
  return started;
};

// Stores this build for visits without a network (sw.js) once the page is idle. trunk serve does the same; a new build has other
// addresses.
const keepOffline = () => {
  if (document.documentElement.classList.contains("embed")) return;
  const folder = new URL(".", import.meta.url).href;
  const head = [...document.head.querySelectorAll("script, link")].map((element) => element.src || element.href);
  const own = head.filter((address) => address.startsWith(folder)).map((address) => address.slice(folder.length));
  const others = ["compile.js", "worker.js", "alive.js", "data/example.csv", "data/yield.csv", ...meanfieldTexts];
  const files = new Set([...own, names.get("js"), names.get("wasm"), ...others.map((file) => `${file}?v=${build}`)]);
  const query = new URLSearchParams([...files].map((file) => ["file", file]));
  const register = async () => {
    try {
      await navigator.serviceWorker.register(`./sw.js?${query}`);
    } catch {} // Private windows and pages without https have no service workers; there the page needs a network.
  };
  if (document.readyState === "complete") whenIdle(register);
  else addEventListener("load", () => whenIdle(register));
};

// The ready-made page is painted first. A hidden page is not painted, so the wait is limited.
const painted = new Promise((done) => {
  const seen = (entries) => entries.getEntriesByName("first-contentful-paint").length && done();
  try {
    new PerformanceObserver(seen).observe({ type: "paint", buffered: true });
  } catch {
    done();
  }
  setTimeout(done, document.documentElement.classList.contains("bare") ? 0 : 3000);
});

const whenIdle = (work) => (globalThis.requestIdleCallback ?? setTimeout)(work);
const still = matchMedia("(prefers-reduced-motion: reduce)").matches || navigator.connection?.saveData;
const enliven = () => {
  if (!still && !document.documentElement.classList.contains("embed")) import(`./alive.js?v=${build}`).catch(() => {});
};
// The front page and the ledger need no program; it is compiled there once the page is idle.
if (document.documentElement.dataset.page !== "model") {
  const early = () => compile().then(() => keepOffline(), () => {});
  painted.then(() => whenIdle(() => early().then(enliven)));
}

await meanfieldWanted;
await meanfieldPicture; // The picture must not share the network with the program.
await painted;
await meanfieldProgram();
// The processor is left to the first run.
setTimeout(() => {
  keepOffline();
  whenIdle(enliven);
}, 3000);
