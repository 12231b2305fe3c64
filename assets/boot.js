// Before anything else: the stored theme, the ready-made picture of the model asked for, and whether this browser can
// run the program at all (WebAssembly with SIMD).
(() => {
  const root = document.documentElement;
  try {
    root.dataset.theme = localStorage.getItem("meanfield-theme") || "auto";
  } catch {}
  // The page itself has the headings of all models and the picture of the first; that of another model is fetched, and
  // what is deeper in has none.
  const pages = document.querySelector("meta[name=pages]").content.split(" ");
  const modelOf = (page) => page.split(".")[0];
  const models = [...new Set(pages.map(modelOf))];
  const [first, ...others] = models;
  const [page, ...asked] = location.hash.replace(/^#?\/?/, "").split("?");
  const front = !page || page === first;
  const model = modelOf(page);
  // For start.js: the model in the address, and what is fetched later or for visits without a network.
  globalThis.meanfieldModel = others.includes(model) ? model : first;
  globalThis.meanfieldModels = models;
  globalThis.meanfieldTexts = [
    ...pages.map((page) => `${modelOf(page)}/${page}.html`),
    ...others.map((model) => `${model}/first-paint.html`),
  ];
  const pairs = document.querySelector("meta[name=pairs]").content.split(" ");
  if (pairs.includes(front ? first : page)) root.dataset.layout = "pair";
  root.dataset.model = front ? first : others.includes(page) ? page : "";
  if (!front || asked.length) root.classList.add("deep");
  const open = async () => {
    await new Promise((done) => document.addEventListener("readystatechange", done, { once: true }));
    const nav = document.querySelector("nav.front");
    nav.querySelector("[aria-current]").removeAttribute("aria-current");
    nav.querySelector(`[href="#/${model}"]`)?.setAttribute("aria-current", "page");
    if (!others.includes(page) || asked.length) return;
    const build = new URL(document.querySelector("script[type=module]").src).searchParams.get("js");
    const answer = await fetch(`${page}/first-paint.html?v=${build}`);
    const text = await answer.text();
    const picture = document.querySelector("nav.front") && document.querySelector(".first-paint");
    if (!answer.ok || !picture) return; // The program was sooner.
    picture.innerHTML = text;
    root.classList.remove("deep");
  };
  if (!front) open().catch(() => {}); // The page does without, as it does deeper in.
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
