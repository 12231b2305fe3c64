// Starts the solvers of a model, after which the worker is named. Its own address carries the build (?v=…) and hands it
// on, so that no cache mixes builds; what goes wrong here reaches the page as the worker's error event.
const { href, search } = self.location;
const program = `./worker_${self.name}`;
const { default: init } = await import(`${program}.js${search}`);
await init({ module_or_path: new URL(`${program}_bg.wasm${search}`, href) });
