// Paper is white: what is printed is printed light, whatever the screen shows.
(() => {
  const page = document.documentElement.dataset;
  let shown;
  addEventListener("beforeprint", () => { shown = page.theme; page.theme = "light"; });
  addEventListener("afterprint", () => { page.theme = shown; });
})();
