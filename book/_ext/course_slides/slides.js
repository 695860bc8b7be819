// A talk's slides: the book's figures, made to fit.
const WIDTH = 1280;
const HEIGHT = 720;
const LARGEST = 2;
const root = document.documentElement;
const stage = document.querySelector(".reveal");

root.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";

function switchTheme() {
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
}

// A figure is laid out as on a page; a slide shows all of it, as large as there is room.
const LAYOUTS = [
  [],  // below the words
  ["beside"],
  ["folded"],  // a long listing in two columns
];

function zoomOf(stage, layout) {
  const shown = stage.querySelector(".shown");
  const pre = shown.querySelector("pre");
  stage.classList.remove("beside", "folded");
  shown.style.zoom = 1;
  pre?.style.removeProperty("width");
  const natural = pre?.offsetWidth;
  stage.classList.add(...layout);
  if (layout.includes("folded")) pre.style.width = `${2 * natural}px`;
  const room = shown.parentElement;
  const inside = [shown, ...shown.querySelectorAll("pre, table, svg")].map((one) => one.scrollWidth);
  const width = Math.max(shown.offsetWidth, ...inside);
  const height = HEIGHT - room.offsetTop - 36;
  return Math.min(height / shown.scrollHeight, room.clientWidth / width, LARGEST);
}

function fit(stage) {
  const shown = stage.querySelector(".shown");
  if (!shown) return;
  const possible = LAYOUTS.filter((layout) =>
    (!layout.includes("beside") || stage.querySelector(".words"))
    && (!layout.includes("folded") || shown.matches(".of-listing")));
  const zooms = possible.map((layout) => zoomOf(stage, layout));
  const largest = Math.max(...zooms);
  zoomOf(stage, possible[zooms.indexOf(largest)]);
  shown.style.zoom = largest;
}

function refit(slide) {
  slide?.querySelectorAll(".stage").forEach(fit);
}

// A phone's screen is no stage: there the slides are a page to scroll.
if (matchMedia("(max-width: 700px)").matches) {
  stage.className = "pages";
} else {
  globalThis.deck = new Reveal({
    width: WIDTH, height: HEIGHT, margin: 0.04, hash: true, slideNumber: "c/t", center: false, controls: false,
    transition: "none", backgroundTransition: "none", pdfMaxPagesPerSlide: 1,
    pdfSeparateFragments: false, plugins: [RevealNotes],
    keyboard: { 68: switchTheme },
  });
  deck.on("ready", (event) => refit(event.currentSlide));
  deck.on("slidechanged", (event) => refit(event.currentSlide));
  deck.on("pdf-ready", () => refit(deck.getSlidesElement()));
  deck.getRevealElement().addEventListener("change", () => refit(deck.getCurrentSlide()));  // a switch, another number
  deck.initialize();
}
