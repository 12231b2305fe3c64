// A web worker: fetches and compiles the program at the address that it is sent, which would block the thread of the page, and
// answers with the module, or with an error message.
onmessage = async ({ data: address }) => {
  try {
    postMessage({ module: await WebAssembly.compileStreaming(fetch(address)) });
  } catch (error) {
    postMessage({ why: error.message });
  }
};
