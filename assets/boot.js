// Before anything else: the stored theme, whether the ready-made picture is the one asked for, and whether
// this browser can run the program at all (WebAssembly with SIMD).
(() => {
  const root = document.documentElement;
  try {
    root.dataset.theme = localStorage.getItem("meanfield-theme") || "auto";
  } catch {}
  if (!/^(#\/?(feedforward)?)?$/.test(location.hash)) root.classList.add("deep");
  // Within another page only the run bar and the figures are shown.
  if (new URLSearchParams(location.search).has("embed")) root.classList.add("embed");
  const simd = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];
  // What breaks before the page is there leaves nobody else to say so.
  const failed = () => {
    if (root.dataset.state !== "loading") return;
    root.dataset.state = "failed";
    document.querySelector(".sentence").textContent =
      "The program could not be loaded; reload the page to try again. The picture is a finished run.";
  };
  addEventListener("unhandledrejection", failed);
  addEventListener("error", failed, true);
  if (typeof WebAssembly !== "object" || !WebAssembly.validate(new Uint8Array(simd))) root.classList.add("too-old");
})();
