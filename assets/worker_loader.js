// Starts a model's solvers in a web worker. Its own address carries the build (?v=…), which it hands on so that no cache
// mixes builds, and the model (#…); what goes wrong here reaches the page as the worker's error event.
const { href, search, hash } = self.location;
const program = `./worker_${hash.slice(1)}`;
const { default: init } = await import(`${program}.js${search}`);
await init({ module_or_path: new URL(`${program}_bg.wasm${search}`, href) });
