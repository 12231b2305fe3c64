// A web worker: fetches and compiles the program at a given address, since this would block the page's thread, and
// answers with the module, or with an error message.
onmessage = async ({ data: address }) => {
  try {
    postMessage({ module: await WebAssembly.compileStreaming(fetch(address)) });
  } catch (error) {
    postMessage({ why: error.message });
  }
};
