// Starts the page's program. The names of its files stand in this script's own address, because they change with
// every build and the page's policy allows no script inside the page itself.
const names = new URL(import.meta.url).searchParams;

// Figures are made of results by the program that the workers run: the page's own asks for it here, by the same address
// as they do (worker_loader.js), so that it is downloaded once.
globalThis.meanfieldViewer = async (version) => {
  const viewer = await import(`./worker.js?v=${version}`);
  await viewer.default({ module_or_path: new URL(`./worker_bg.wasm?v=${version}`, import.meta.url) });
  return viewer;
};

const { default: init } = await import(`./${names.get("js")}`);
await init({ module_or_path: new URL(names.get("wasm"), import.meta.url) });
