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

// A figure is laid out as on a page; a slide shows all of it, as large as there is room below the words or beside them.
function zoomOf(body, beside) {
  const shown = body.querySelector(".shown");
  body.classList.toggle("beside", beside);
  shown.style.zoom = 1;
  const room = shown.parentElement;
  const inside = [shown, ...shown.querySelectorAll("pre, table, svg")].map((one) => one.scrollWidth);
  const width = Math.max(shown.offsetWidth, ...inside);
  const height = HEIGHT - room.offsetTop - 36;
  return Math.min(height / shown.scrollHeight, room.clientWidth / width, LARGEST);
}

function fit(body) {
  const shown = body.querySelector(".shown");
  if (!shown) return;
  const words = body.querySelector(".words");
  const below = zoomOf(body, false);
  const beside = words ? zoomOf(body, true) : 0;
  body.classList.toggle("beside", beside > below);
  shown.style.zoom = Math.max(below, beside);
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
    transition: "none", backgroundTransition: "none", pdfMaxPagesPerSlide: 1, plugins: [RevealNotes],
    keyboard: { 68: switchTheme },
  });
  deck.on("ready", (event) => refit(event.currentSlide));
  deck.on("slidechanged", (event) => refit(event.currentSlide));
  deck.on("pdf-ready", () => refit(deck.getSlidesElement()));
  deck.getRevealElement().addEventListener("change", () => refit(deck.getCurrentSlide()));  // a switch, another number
  deck.initialize();
}
