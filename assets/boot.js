// Before anything else: the colours, the page in the address, and whether this browser can run the program at all
// (WebAssembly with SIMD). The front page and that of the papers are here; a model's page belongs to its program, and until
// that is there its heading is shown, with a ready-made picture of its run or the request for a file.
(() => {
  const root = document.documentElement;
  const remembered = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {} // Some windows have no memory.
  };
  const remember = (key, value) => {
    try {
      if (value === null) localStorage.removeItem(key);
      else localStorage.setItem(key, value);
    } catch {}
  };

  // The program reads data-dark and data-paper, and is told by "theme".
  const THEMES = ["auto", "light", "dark"];
  const system = matchMedia("(prefers-color-scheme: dark)");
  const colour = (theme) => {
    root.dataset.theme = theme;
    root.toggleAttribute("data-dark", theme === "dark" || (theme === "auto" && system.matches));
    dispatchEvent(new Event("theme"));
  };
  colour(remembered("meanfield-theme") || "auto");
  system.addEventListener("change", () => colour(root.dataset.theme));
  // Paper is light.
  const print = (paper) => {
    root.toggleAttribute("data-paper", paper);
    colour(paper ? "light" : remembered("meanfield-theme") || "auto");
  };
  addEventListener("beforeprint", () => print(true));
  addEventListener("afterprint", () => print(false));

  const pages = document.querySelector("meta[name=pages]").content.split(" ");
  const pairs = document.querySelector("meta[name=pairs]").content.split(" ");
  const waiting = document.querySelector("meta[name=waiting]").content.split(" ");
  const modelOf = (page) => page.split(".")[0];
  // The program has drawn the page: no ready-made picture is needed.
  const programRuns = () => document.getElementById("app")?.childElementCount > 0;
  // A page that waits for a file has no picture.
  const waits = (page) => waiting.includes(page);
  const pictureOf = (page, width) => `${modelOf(page)}/first-paint/${page}-${width}.html`;
  const ready = new Promise((done) => document.addEventListener("readystatechange", done, { once: true }));
  // The pages without a program: their titles, and the elements that hold them.
  const prepared = new Map([["", ["Mean Field Lab", "home"]], ["papers", ["The papers · Mean Field Lab", "papers"]]]);

  // Within another page only the run bar and a figure are shown; bare, the figure alone.
  const options = new URLSearchParams(location.search);
  for (const option of ["embed", "bare"]) if (options.has(option)) root.classList.add(option);

  // For start.js: when the program is wanted, when the ready-made picture is there, and which files are fetched later or kept for
  // visits without a network.
  let wanted;
  globalThis.meanfieldWanted = new Promise((done) => (wanted = done));
  globalThis.meanfieldTexts = [
    "pages/papers.html",
    ...pages.map((page) => `${modelOf(page)}/${page}.html`),
    ...pages.filter((page) => !waits(page)).flatMap((page) => [pictureOf(page, "wide"), pictureOf(page, "narrow")]),
  ];

  const text = async (file) => {
    const build = new URL(document.querySelector("script[type=module]").src).searchParams.get("js");
    const answer = await fetch(`${file}?v=${build}`);
    const words = await answer.text();
    // A host may answer with its front page instead of a refusal.
    if (!answer.ok || words.startsWith("<!")) throw new Error(file);
    return words;
  };

  // A page without a program; that of the papers is fetched when it is first looked at.
  const open = async (holder) => {
    if (holder.childElementCount || holder.id === "home") return;
    holder.textContent = "Loading …";
    holder.innerHTML = await text(`pages/${holder.id}.html`).catch(
      () => '<p role="alert">This page could not be loaded. <button type="button" class="again">Try again</button></p>',
    );
  };

  // The picture of a page's run, if its program is not there yet. Other settings have none.
  const picture = async (page, here) => {
    const holder = document.querySelector("#front .first-paint");
    holder.innerHTML = "";
    // A figure that stands alone is there to be watched as it is computed.
    if (root.classList.contains("bare")) return;
    if (!pages.includes(page) || waits(page) || location.hash.includes("?")) return;
    if (programRuns()) return;
    const narrow = root.dataset.layout === "pair" || matchMedia("(max-width: 700px)").matches;
    const html = await text(pictureOf(page, narrow ? "narrow" : "wide"));
    if (location.hash !== here) return;
    holder.innerHTML = html;
    root.classList.remove("deep");
  };

  // Scrolls the links so that the present one is in view, and none before it is cut to less than a finger needs.
  const FINGER = 24;
  const bringIntoView = () => {
    const link = document.querySelector("header nav [aria-current]");
    if (!link) return;
    // While it is measured it does not stick to an edge.
    link.removeAttribute("aria-current");
    // Whichever of the two scrolls at this width.
    for (const row of [link.parentElement, link.closest("header")]) {
      const edge = row.getBoundingClientRect().left;
      row.scrollLeft += link.getBoundingClientRect().left - edge - FINGER;
      for (const other of row.querySelectorAll("a")) {
        const seen = other.getBoundingClientRect().right - edge;
        if (seen > 0 && seen < FINGER) row.scrollLeft -= FINGER + 2 - seen;
      }
    }
    link.setAttribute("aria-current", "page");
  };
  // Before its styles are there nothing scrolls, and on a wide screen not much.
  addEventListener("load", bringIntoView);
  matchMedia("(max-width: 700px)").addEventListener("change", bringIntoView);

  let linked = "";
  const show = async () => {
    const here = location.hash;
    let shown;
    globalThis.meanfieldPicture = new Promise((done) => (shown = done));
    const [page] = here.replace(/^#?\/?/, "").split("?");
    const model = modelOf(page);
    const [title, id] = prepared.get(page) ?? [];
    const before = root.dataset.page;
    root.dataset.page = id ?? "model";
    root.classList.add("deep");
    if (!id) {
      root.dataset.layout = pairs.includes(page) ? "pair" : "";
      if (before !== "model" && !programRuns()) root.dataset.state = "loading";
    }
    await ready;
    for (const element of document.querySelectorAll("#front [data-of]")) element.hidden = element.dataset.of !== page;
    for (const link of document.querySelectorAll("header nav a")) {
      if (link.id === `to-${model}`) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    if (model !== linked) bringIntoView();
    linked = model;
    if (before && before !== root.dataset.page) {
      scrollTo(0, 0);
      document.getElementById("main").focus();
    }
    if (!id) {
      // Without it the page does as it does deeper in.
      picture(page, here).catch(() => {}).then(shown);
      setTimeout(shown, 2000);
      wanted();
      return;
    }
    shown();
    document.title = title;
    await open(document.getElementById(id));
    if (location.hash === here) root.dataset.state = "done";
  };
  addEventListener("hashchange", show);
  addEventListener("address", show); // The program has changed it without a step in the history.
  show();

  document.addEventListener("click", (event) => {
    const within = (selector) => event.target.closest?.(selector);
    if (within(".theme")) {
      const theme = THEMES[(THEMES.indexOf(root.dataset.theme) + 1) % THEMES.length];
      remember("meanfield-theme", theme);
      colour(theme);
    } else if (within(".skip")) {
      event.preventDefault(); // The hash is the route: go there without it.
      document.getElementById("main").focus();
    } else if (within(".again")) {
      show();
    } else if (within(".copy-details")) {
      copyDetails(within(".copy-details"));
    }
  });

  // What a report of a crash needs: it stays in the clipboard, and names no file of the person's own.
  const details = () =>
    [
      `Mean Field Lab ${document.getElementById("version").textContent} (${globalThis.meanfieldBuild})`,
      `Crash: ${root.dataset.crash}`,
      `Link: ${location.hash.replace(/=[^=&]*(@[0-9a-f]{16})/g, "=file$1")}`,
      `State: ${root.dataset.state}. ${document.querySelector("#app .sentence span")?.textContent.replace(/“[^”]*”/g, "“…”")}`,
      `Browser: ${navigator.userAgent}`,
    ].join("\n");
  // Of the page's own crash, as it was: what is left of its program may change the address and the state afterwards.
  let last;
  const copyDetails = async (button) => {
    try {
      await navigator.clipboard.writeText(last ?? details());
      button.textContent = "Copied";
    } catch {
      // Without a clipboard they can be marked and copied by hand.
      button.outerHTML = '<pre class="details"></pre>';
      document.querySelector("pre.details").textContent = last ?? details();
    }
  };
  // The page's own program has stopped, which then does nothing any more.
  const crashed = (why) => {
    if (last || why?.name !== "RuntimeError") return;
    root.dataset.crash ||= why.message;
    last = details();
    root.dataset.state = "failed";
    document.getElementById("main").insertAdjacentHTML(
      "beforeend",
      `<div class="messages crashed" role="alert">
        <p class="notices">The page has crashed: reload it to go on. Its address has all settings.</p>
        <button type="button" class="quiet copy-details">Copy details</button>
      </div>`,
    );
  };
  addEventListener("error", (event) => crashed(event.error));
  addEventListener("unhandledrejection", (event) => crashed(event.reason));

  // A file given on the front page: what it seems to hold, and so which pages are for it. The page that is opened takes the file
  // out of the input.
  const HEAD = 1 << 20;
  const look = async (file) => {
    const words = document.getElementById("looked");
    const pages = [...document.querySelectorAll("#home [data-takes]")];
    words.textContent = `Reading ${file.name} …`;
    const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
    const packed = start[0] === 0x1f && start[1] === 0x8b;
    const contents = packed ? await new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).blob() : file;
    const head = new Uint8Array(await contents.slice(0, HEAD).arrayBuffer());
    const program = await globalThis.meanfieldProgram();
    const [kinds, sentence] = program.describe_file(head, contents.size <= HEAD).split(/\|(.*)/s);
    const holds = kinds.split(" ");
    words.textContent = `${file.name}: ${sentence}`;
    for (const page of pages) {
      const fits = page.dataset.takes.split(" ").some((kind) => holds.includes(kind));
      page.className = fits ? "fits" : "other";
    }
  };
  document.addEventListener("change", ({ target }) => {
    const [file] = (target.id === "own" && target.files) || [];
    const failed = () => (document.getElementById("looked").textContent = `${file.name} could not be read: it may be damaged or cut short.`);
    if (file) look(file).catch(failed);
  });
  for (const event of ["dragover", "drop"]) {
    document.addEventListener(event, (drag) => {
      if (!drag.target.closest?.(".own")) return;
      drag.preventDefault(); // Otherwise the browser would leave the page for the file.
      const input = document.getElementById("own");
      if (event === "dragover" || !drag.dataTransfer.files.length) return;
      input.files = drag.dataTransfer.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    });
  }

  // Remembered where single keys are to do nothing.
  const SHORTCUTS = "meanfield-shortcuts";
  ready.then(() => {
    const box = document.getElementById("shortcuts");
    box.checked = remembered(SHORTCUTS) == null;
    box.addEventListener("change", () => remember(SHORTCUTS, box.checked ? null : "off"));
  });

  const simd = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];
  // What breaks before the page is there leaves nobody else to say so.
  const failed = () => {
    if (root.dataset.state !== "loading" || document.getElementById("app")?.childElementCount) return;
    root.dataset.state = "failed";
    document.querySelector("#front .sentence span").textContent =
      "The program could not be loaded; reload the page to try again.";
  };
  addEventListener("unhandledrejection", failed);
  // A hint (prefetch) that a browser does not follow is no loss.
  addEventListener("error", (event) => event.target.rel === "prefetch" || failed(), true);
  if (typeof WebAssembly !== "object" || !WebAssembly.validate(new Uint8Array(simd))) root.classList.add("too-old");
})();
