// Stores the files of the page for visits without a network. Files of the user are not stored here.
//
// Builds are never mixed:
// * The address of this script lists the files of its build (start.js). So each build has its own service worker and
//   its own cache, which is complete once it contains index.html, the last file to be added.
// * The address of every file but index.html contains its build, as a hash or as ?v=. So the file stored under an
//   address is valid for every page that requests it.
// * index.html comes from the network, so that the next visit gets a new build. Without a network, after a timeout or
//   an error of the host, that of the newest complete build is opened.
// * A new service worker is activated by the browser once no page of an older one is open; it then deletes older builds.
const asked = new URL(location.href).searchParams;
const files = asked.getAll("file");
const named = files.filter((file) => !file.includes("?"));
const scope = registration.scope;
const ours = `meanfield ${scope} `;
const build = ours + asked;
const PATIENCE_MS = 3000;
const RETRIES_MS = [2000, 5000, 10000];

const names = async () => (await caches.keys()).filter((name) => name.startsWith(ours));

// Returns index.html from the host if it belongs to this build.
const front = async () => {
  const answer = await fetch("./", { cache: "no-cache" });
  const text = await answer.clone().text();
  const own = answer.ok && !answer.redirected && named.every((file) => text.includes(file));
  if (!own) throw new Error("the host has another build by now");
  return answer;
};

// Stores a file, with repeated attempts: without it the build would not be stored until the next visit.
const put = async (cache, file) => {
  // The first attempt uses the browser's cache, which has the files of the page that is open.
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
  // Files of the page that is open are served from the cache as well.
  await clients.claim();
};

const open = async (request) => {
  // Bypasses the cache of the browser, in which a host may allow index.html to stay for long.
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
