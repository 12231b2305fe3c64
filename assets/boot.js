// Runs first: sets the theme, shows the page in the address, and checks that the browser supports WebAssembly with SIMD. The front
// page and the page of the papers need no program. The page of a model is made by the program; until it has loaded, its heading is
// shown, with a ready-made picture of its run or the request for a file.
(() => {
  const root = document.documentElement;
  const remembered = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {} // Private windows may have no storage.
  };
  const remember = (key, value) => {
    try {
      if (value === null) localStorage.removeItem(key);
      else localStorage.setItem(key, value);
    } catch {}
  };

  // The program reads data-dark and data-paper after the event "theme".
  const THEMES = ["auto", "light", "dark"];
  const system = matchMedia("(prefers-color-scheme: dark)");
  const colour = (theme) => {
    root.dataset.theme = theme;
    root.toggleAttribute("data-dark", theme === "dark" || (theme === "auto" && system.matches));
    dispatchEvent(new Event("theme"));
  };
  colour(remembered("meanfield-theme") || "auto");
  system.addEventListener("change", () => colour(root.dataset.theme));
  // Pages are printed in the light theme.
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
  // The picture of a page that needs a file is that of its example.
  const waits = (page) => waiting.includes(page);
  const pictureOf = (page, width) => `${modelOf(page)}/first-paint/${page}-${width}.html`;
  const ready = new Promise((done) => document.addEventListener("readystatechange", done, { once: true }));
  // The pages without a program: their titles, and the elements that hold them.
  const prepared = new Map([["", ["Mean Field Lab", "home"]], ["papers", ["The papers · Mean Field Lab", "papers"]]]);

  // Within another page (embed), only the run bar and a figure are shown; with bare, only the figure.
  const options = new URLSearchParams(location.search);
  for (const option of ["embed", "bare"]) if (options.has(option)) root.classList.add(option);

  // For start.js: promises for the first page that needs the program and for the ready-made picture, and the files that are fetched
  // later or stored for visits without a network.
  let wanted;
  globalThis.meanfieldWanted = new Promise((done) => (wanted = done));
  globalThis.meanfieldTexts = [
    "pages/papers.html",
    ...pages.map((page) => `${modelOf(page)}/${page}.html`),
    ...pages.map((page) => `${modelOf(page)}/thumbnails/${page}.txt`),
    ...pages.flatMap((page) => [pictureOf(page, "wide"), pictureOf(page, "narrow")]),
  ];

  const text = async (file) => {
    const build = new URL(document.querySelector("script[type=module]").src).searchParams.get("js");
    const answer = await fetch(`${file}?v=${build}`);
    const words = await answer.text();
    // Some hosts answer with their front page in place of status 404.
    if (!answer.ok || words.startsWith("<!")) throw new Error(file);
    return words;
  };

  // Shows a page that needs no program; the page of the papers is fetched when it is first opened.
  const open = async (holder) => {
    if (holder.childElementCount || holder.id === "home") return;
    holder.textContent = "Loading …";
    holder.innerHTML = await text(`pages/${holder.id}.html`).catch(
      () => '<p role="alert">This page could not be loaded. <button type="button" class="again">Try again</button></p>',
    );
  };

  // Shows the picture of a page until the program has loaded. There are pictures for the default settings only.
  const picture = async (page, here) => {
    const holder = document.querySelector("#front .first-paint");
    holder.innerHTML = "";
    // A figure without its page is shown while it is computed.
    if (root.classList.contains("bare")) return;
    if (!pages.includes(page) || waits(page) || location.hash.includes("?")) return;
    if (programRuns()) return;
    const narrow = root.dataset.layout === "pair" || matchMedia("(max-width: 700px)").matches;
    const html = await text(pictureOf(page, narrow ? "narrow" : "wide"));
    if (location.hash !== here) return;
    holder.innerHTML = html;
    root.classList.remove("deep");
  };

  // Scrolls the navigation so that the present link is in view and every visible link is wide enough for a finger.
  const FINGER = 24;
  const GAP = 14;
  const bringIntoView = () => {
    const link = document.querySelector("header nav [aria-current]");
    if (!link) return;
    // The present link is sticky; without the attribute it has its normal position while it is measured.
    link.removeAttribute("aria-current");
    // Only one of these rows scrolls, depending on the width. In the second, the link to the front page stays at the left.
    const header = link.closest("header");
    const starts = [
      [link.parentElement, link.parentElement.getBoundingClientRect().left, FINGER],
      [header, header.querySelector(".mark").getBoundingClientRect().right, GAP],
    ];
    for (const [row, edge, before] of starts) {
      row.scrollLeft += link.getBoundingClientRect().left - edge - before;
      for (const other of row.querySelectorAll("a")) {
        const seen = other.getBoundingClientRect().right - edge;
        if (seen > 0 && seen < FINGER) row.scrollLeft -= FINGER + 2 - seen;
      }
    }
    link.setAttribute("aria-current", "page");
  };
  // Widths are known once the styles have loaded.
  addEventListener("load", bringIntoView);
  matchMedia("(max-width: 700px)").addEventListener("change", bringIntoView);

  let linked = "";
  // Where the pages without a program were left by a link; a link to one of them begins at its top.
  const places = new Map();
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
    document.querySelector("#front .model").classList.toggle("asking", waits(page));
    root.dataset.headed = "";
    for (const link of document.querySelectorAll("header nav a")) {
      if (link.id === `to-${model}`) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    // Before the event "load", which measures again, styles may be missing.
    if (model !== linked && document.readyState === "complete") bringIntoView();
    linked = model;
    if (before && before !== root.dataset.page) {
      scrollTo(0, 0);
      document.getElementById("main").focus({ preventScroll: true });
    }
    if (!id) {
      // Without the picture, the page is shown as for other settings.
      picture(page, here).catch(() => {}).then(shown);
      setTimeout(shown, 2000);
      wanted();
      return;
    }
    shown();
    document.title = title;
    await open(document.getElementById(id));
    if (location.hash !== here) return;
    // Back returns to where the page was left.
    if (places.has(here)) scrollTo(0, places.get(here));
    root.dataset.state = "done";
  };
  addEventListener("hashchange", show);
  addEventListener("address", show); // The program has changed the address without adding a history entry.
  show();

  document.addEventListener("click", (event) => {
    const within = (selector) => event.target.closest?.(selector);
    const link = within("a[href^='#']");
    if (link) {
      places.set(location.hash, scrollY);
      places.delete(link.hash);
    }
    if (within(".theme")) {
      const theme = THEMES[(THEMES.indexOf(root.dataset.theme) + 1) % THEMES.length];
      remember("meanfield-theme", theme);
      colour(theme);
    } else if (within(".skip")) {
      event.preventDefault(); // The hash is the route and must not change.
      document.getElementById("main").focus();
    } else if (within(".again")) {
      show();
    } else if (within(".copy-details")) {
      copyDetails(within(".copy-details"));
    }
  });

  // Returns the text of a crash report. It is only copied to the clipboard and contains no names of the user's files.
  const details = () =>
    [
      `Mean Field Lab ${document.getElementById("version").textContent} (${globalThis.meanfieldBuild})`,
      `Crash: ${root.dataset.crash}`,
      `Link: ${location.hash.replace(/=[^=&]*(@[0-9a-f]{16})/g, "=file$1")}`,
      `State: ${root.dataset.state}. ${document.querySelector("#app .sentence span")?.textContent.replace(/“[^”]*”/g, "“…”")}`,
      `Browser: ${navigator.userAgent}`,
    ].join("\n");
  // The details at the time of a crash of the page: the program may change address and state afterwards.
  let last;
  const copyDetails = async (button) => {
    try {
      await navigator.clipboard.writeText(last ?? details());
      button.textContent = "Copied";
    } catch {
      // Without a clipboard, the details are shown, to be copied by hand.
      button.outerHTML = '<pre class="details"></pre>';
      document.querySelector("pre.details").textContent = last ?? details();
    }
  };
  // Shows a message after the program of the page has crashed.
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

  // Describes a file given on the front page and marks the pages that can use it, or links to the page of a saved run. The page that
  // is opened then takes the file from the input.
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
    const [, kinds, saved, sentence] = program.describe_file(head, contents.size <= HEAD).match(/^(.*?)\|(.*?)\|(.*)$/s);
    const holds = kinds.split(" ");
    words.textContent = `${file.name}: ${sentence} `;
    if (saved) {
      const link = document.createElement("a");
      link.href = `#/${saved}`;
      link.textContent = "Open it";
      words.append(link);
    }
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

  // Preference that turns off shortcuts of one key.
  const SHORTCUTS = "meanfield-shortcuts";
  ready.then(() => {
    const box = document.getElementById("shortcuts");
    box.checked = remembered(SHORTCUTS) == null;
    box.addEventListener("change", () => remember(SHORTCUTS, box.checked ? null : "off"));
  });

  const simd = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];
  // Reports errors that occur before the program shows the page.
  const failed = () => {
    if (root.dataset.state !== "loading" || document.getElementById("app")?.childElementCount) return;
    root.dataset.state = "failed";
    document.querySelector("#front .sentence span").textContent =
      "The program could not be loaded; reload the page to try again.";
  };
  addEventListener("unhandledrejection", failed);
  // A failed prefetch is not an error.
  addEventListener("error", (event) => event.target.rel === "prefetch" || failed(), true);
  if (typeof WebAssembly !== "object" || !WebAssembly.validate(new Uint8Array(simd))) root.classList.add("too-old");
})();
