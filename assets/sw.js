// Keeps the page for when there is no network: its own files and nothing that a person gave it.
//
// Builds are never mixed:
// * The page names the files of its build in this script's address (start.js). So another build is another service
//   worker with a cache of its own, which is whole once index.html, put there last, is in it.
// * Every file but index.html has its build in its address, by a hash or by ?v=. So what is kept under an address is
//   right for whichever page asks for it, and needs no network.
// * index.html comes from the network, so that a new build is seen at the next visit. Where there is none, or it takes
//   too long, or the host is in trouble, that of the newest whole build is opened.
// * A new service worker waits, as the browser has it, until no page of an older one is open, and then deletes older builds.
const asked = new URL(location.href).searchParams;
const files = asked.getAll("file");
const named = files.filter((file) => !file.includes("?"));
const scope = registration.scope;
const ours = `meanfield ${scope} `;
const build = ours + asked;
const PATIENCE_MS = 3000;
const RETRIES_MS = [2000, 5000, 10000];

const names = async () => (await caches.keys()).filter((name) => name.startsWith(ours));

// index.html as the host has it now, if it is this build's.
const front = async () => {
  const answer = await fetch("./", { cache: "no-cache" });
  const text = await answer.clone().text();
  const own = answer.ok && !answer.redirected && named.every((file) => text.includes(file));
  if (!own) throw new Error("the host has another build by now");
  return answer;
};

// One file that does not come would lose all of them until the next visit.
const put = async (cache, file) => {
  // What the page has just been loaded with need not be sent again.
  for (const [attempt, pause] of [...RETRIES_MS, null].entries()) {
    try {
      return await cache.add(new Request(file, { cache: attempt === 0 ? "force-cache" : "reload" }));
    } catch (error) {
      if (pause === null) throw error;
      await new Promise((over) => setTimeout(over, pause));
    }
  }
};

const install = async () => {
  await front();
  const cache = await caches.open(build);
  await Promise.all(files.map((file) => put(cache, file)));
  await cache.put("./", await front());
};

const activate = async () => {
  if (!registration.installing && !registration.waiting) {
    for (const name of await names()) if (name !== build) await caches.delete(name);
  }
  // The page of the first visit, too, finds its files from now on whatever the host has.
  await clients.claim();
};

const open = async (request) => {
  // A host may allow the browser to keep it for long.
  const fresh = fetch(request, { cache: "no-cache" });
  const late = new Promise((_, reject) => setTimeout(reject, PATIENCE_MS));
  try {
    const answer = await Promise.race([fresh, late]);
    if (answer.status < 500) return answer;
  } catch {}
  for (const name of (await names()).reverse()) {
    const kept = await caches.match("./", { cacheName: name, ignoreVary: true });
    if (kept) return kept;
  }
  return fresh;
};

const fetched = async (request) => (await caches.match(request, { ignoreVary: true })) ?? fetch(request);

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("fetch", (event) => {
  const { request } = event;
  const [address] = request.url.split(/[?#]/);
  const whole = address === scope || address === `${scope}index.html`;
  const visit = request.mode === "navigate";
  if (visit && whole) event.respondWith(open(request));
  else if (!visit && !whole && address.startsWith(scope)) event.respondWith(fetched(request));
});
