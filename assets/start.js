// Starts the page's program. The names of its files stand in this script's own address, because they change with
// every build and the page's policy allows no script inside the page itself.
const names = new URL(import.meta.url).searchParams;
const { default: init } = await import(`./${names.get("js")}`);
await init({ module_or_path: new URL(names.get("wasm"), import.meta.url) });
