// A web worker: runs the page's program, whose script and compiled module are the first message.
onmessage = async ({ data: [script, module] }) => {
  onmessage = null; // The program listens from now on; the page waits until it is ready.
  const { default: init } = await import(script);
  await init({ module_or_path: module });
};
