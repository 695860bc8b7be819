// What is wider than its place scrolls: it fades out where there is more to the right, and who has only a keyboard gets
// there by Tab, as long as it does.
(() => {
  const all = document.querySelectorAll("pre, .ag-code, .measured, .pst-scrollable-table-container, .kf-scroll");
  const fade = (one) => one.classList.toggle("goes-on", one.scrollLeft + one.clientWidth < one.scrollWidth - 1);
  const fit = (one) => {
    fade(one);
    if (one.matches(".kf-scroll")) return; // a figure with a name, which is always a stop
    if (one.scrollWidth > one.clientWidth) one.tabIndex = 0;
    else one.removeAttribute("tabindex");
  };
  const reach = new ResizeObserver((changed) => changed.forEach(({ target }) => fit(target)));
  all.forEach((one) => {
    reach.observe(one);
    one.addEventListener("scroll", () => fade(one), { passive: true });
  });
  // A font that comes late makes the text wider, and not its place.
  document.fonts.ready.then(() => all.forEach(fit));
})();
