// What is wider than its place scrolls; who has only a keyboard gets there by Tab, as long as it does.
(() => {
  const all = document.querySelectorAll("pre, .ag-code, .measured, .pst-scrollable-table-container");
  const fit = (one) => {
    if (one.scrollWidth > one.clientWidth) one.tabIndex = 0;
    else one.removeAttribute("tabindex");
  };
  const reach = new ResizeObserver((changed) => changed.forEach(({ target }) => fit(target)));
  all.forEach((one) => reach.observe(one));
  // A font that comes late makes the text wider, and not its place.
  document.fonts.ready.then(() => all.forEach(fit));
})();
