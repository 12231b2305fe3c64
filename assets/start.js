// Starts the page's program. The names of its files stand in this script's own address, because they change with
// every build and the page's policy allows no script inside the page itself.
const names = new URL(import.meta.url).searchParams;
// What tells this build from others in the addresses of files that have no hash in their names.
const build = names.get("js");
globalThis.meanfieldBuild = build;

// What there is to run of a model, and figures of results, come from the program that its workers run. Its address is the one
// that they use (worker_loader.js), so that it is downloaded once.
const viewers = new Map();
// A program on its way beside the script that takes it: who awaits that hears of a failure.
const fetched = (file) => {
  const program = fetch(new URL(file, import.meta.url));
  program.catch(() => {});
  return program;
};
const load = async (model) => {
  await meanfieldPicture; // They would share the network.
  const program = fetched(`./worker_${model}_bg.wasm?v=${build}`);
  const viewer = await import(`./worker_${model}.js?v=${build}`);
  await viewer.default({ module_or_path: program });
  meanfieldLoaded.add(model);
  return viewer;
};
globalThis.meanfieldViewer = (model) => {
  if (!viewers.has(model)) viewers.set(model, load(model));
  viewers.get(model).catch(() => viewers.delete(model)); // It may be there the next time.
  return viewers.get(model);
};
globalThis.meanfieldFirst = () => meanfieldModel;

// Keeps this build for visits without a network (sw.js), once the page has nothing better to do. It is the same under
// trunk serve: what is built anew has other addresses.
globalThis.meanfieldOffline = (program) => {
  if (document.documentElement.classList.contains("embed")) return;
  const folder = new URL(".", import.meta.url).href;
  const head = [...document.head.querySelectorAll("script, link")].map((element) => element.src || element.href);
  const own = head.filter((address) => address.startsWith(folder)).map((address) => address.slice(folder.length));
  const programs = meanfieldModels.flatMap((model) => [`worker_${model}.js`, `worker_${model}_bg.wasm`]);
  const others = [...programs, "worker_loader.js", "alive.js", "data/example.csv", "data/yield.csv", ...meanfieldTexts];
  const files = new Set([...own, names.get("js"), names.get("wasm"), ...others.map((file) => `${file}?v=${build}`)]);
  const asked = new URLSearchParams([["version", program.version()], ...[...files].map((file) => ["file", file])]);
  const register = async () => {
    try {
      await navigator.serviceWorker.register(`./sw.js?${asked}`);
    } catch {} // Some windows and addresses have none: then the page needs its network.
  };
  document.getElementById("version").textContent = `Version ${program.version()}`;
  if (document.readyState === "complete") whenIdle(register);
  else addEventListener("load", () => whenIdle(register));
};

// What is ready-made is painted first. A hidden page paints nothing, and does not wait for it.
const painted = new Promise((done) => {
  const seen = (entries) => entries.getEntriesByName("first-contentful-paint").length && done();
  try {
    new PerformanceObserver(seen).observe({ type: "paint", buffered: true });
  } catch {
    done();
  }
  setTimeout(done, document.documentElement.classList.contains("bare") ? 0 : 3000);
});

// The front page needs no program. When it has nothing better to do, it keeps everything for later.
const whenIdle = (work) => (globalThis.requestIdleCallback ?? setTimeout)(work);
const early = () => meanfieldViewer(meanfieldModels[0]).then(meanfieldOffline, () => {});
const still = matchMedia("(prefers-reduced-motion: reduce)").matches || navigator.connection?.saveData;
const enliven = () => {
  if (!still && !document.documentElement.classList.contains("embed")) import(`./alive.js?v=${build}`).catch(() => {});
};
if (document.documentElement.dataset.page !== "model") painted.then(() => whenIdle(() => early().then(enliven)));

await meanfieldWanted;
await meanfieldPicture;
await painted;
// Neither is preloaded by index.html: they would compete with the first paint.
meanfieldViewer(meanfieldModel);
const program = fetched(names.get("wasm"));
const { default: init } = await import(`./${names.get("js")}`);
await init({ module_or_path: program });
whenIdle(enliven);
