// A web worker: runs the program of the page. The first message has its script and compiled module.
onmessage = async ({ data: [script, module] }) => {
  onmessage = null; // The program sets its own listener; the page waits until it is ready.
  const { default: init } = await import(script);
  await init({ module_or_path: module });
};
