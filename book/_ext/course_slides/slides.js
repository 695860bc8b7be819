// A talk's slides: the book's figures, made to fit.
const WIDTH = 1280;
const HEIGHT = 720;
const deck = new Reveal({
  width: WIDTH, height: HEIGHT, margin: 0.04, hash: true, slideNumber: "c/t", center: false, controls: false,
  transition: "none", backgroundTransition: "none", plugins: [RevealNotes],
});

// A figure is laid out as on a page; a slide shows all of it, as large as there is room.
function fit(shown) {
  const outside = shown.parentElement;
  shown.style.zoom = 1;
  const wide = [shown, ...shown.querySelectorAll("pre, table, svg")].map((one) => one.scrollWidth);
  const room = HEIGHT - outside.offsetTop - 24;
  shown.style.zoom = Math.min(room / shown.scrollHeight, WIDTH / Math.max(...wide), 1.6);
}

function refit(slide) {
  slide?.querySelectorAll(".shown").forEach(fit);
}

deck.on("ready", (event) => refit(event.currentSlide));
deck.on("slidechanged", (event) => refit(event.currentSlide));
deck.on("pdf-ready", () => refit(deck.getSlidesElement()));
deck.getRevealElement().addEventListener("change", () => refit(deck.getCurrentSlide()));  // a switch, another number
deck.initialize();
