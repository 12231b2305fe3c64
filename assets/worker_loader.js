// Starts the solvers in a web worker. Its own address carries the build (?v=…) and hands it on, so that no cache
// mixes builds; what goes wrong here reaches the page as the worker's error event.
const version = new URL(self.location.href).search;
const { default: init } = await import(`./worker.js${version}`);
await init({ module_or_path: new URL(`./worker_bg.wasm${version}`, self.location.href) });
