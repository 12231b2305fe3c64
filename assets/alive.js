// Runs the models on the front page: one card at a time shows its figure while it is computed, in a frame with this page and
// ?embed&bare&sketch. The ready-made pictures stay until then, and on devices where this script is not loaded (start.js).
const LOOK_MS = 250;
const SETTLE_MS = 1500; // time for which a card is in view or under the pointer before its run starts
const REST_MS = 5000; // time for which a finished figure is shown before the run of the next card starts
const cards = [...document.querySelectorAll("#home .card:not(.own)")];
const inView = new Set();
const seen = new Set();
let pointed = null;
let alive = null;
let wanted = { card: null, since: 0 };

const rest = () => {
  alive?.card.classList.remove("alive");
  alive?.frame.remove();
  alive = null;
};

const wake = (card) => {
  const frame = document.createElement("iframe");
  // The card is a link: clicks and focus must not go to the frame.
  frame.inert = true;
  frame.setAttribute("aria-hidden", "true");
  frame.src = `./?embed&bare&sketch${card.querySelector("h2 a").hash}`;
  card.querySelector(".sketch").append(frame);
  alive = { card, frame, ended: null };
};

const follow = (now) => {
  const page = alive.frame.contentDocument;
  const state = page?.documentElement?.dataset.state ?? "loading";
  if (state === "loading" || !page.querySelector("canvas:not([hidden])")) return;
  alive.card.classList.add("alive");
  if (state === "idle" || state === "running") return;
  alive.ended ??= now;
  seen.add(alive.card);
};

const choose = (now) => {
  if (inView.has(pointed)) return pointed;
  const here = inView.has(alive?.card) ? alive.card : null;
  const over = alive?.ended && now - alive.ended > REST_MS;
  if (here && !over) return here;
  return cards.find((card) => inView.has(card) && !seen.has(card)) ?? here;
};

setInterval(() => {
  const now = performance.now();
  if (document.hidden) return;
  if (alive) follow(now);
  const card = choose(now);
  if (card !== wanted.card) wanted = { card, since: now };
  if (card === (alive?.card ?? null) || (card && now - wanted.since < SETTLE_MS)) return;
  rest();
  if (card) wake(card);
}, LOOK_MS);

const note = (entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) inView.add(target.parentElement);
    else inView.delete(target.parentElement);
  }
};
const observer = new IntersectionObserver(note, { threshold: 0.8 });
for (const card of cards) {
  observer.observe(card.querySelector(".sketch"));
  card.addEventListener("pointerenter", () => (pointed = card));
  card.addEventListener("pointerleave", () => (pointed = null));
  card.addEventListener("focusin", () => (pointed = card));
  card.addEventListener("focusout", () => (pointed = null));
}
