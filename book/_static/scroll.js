// What is wider than its place scrolls; who has only a keyboard gets there by Tab, as long as it does.
(() => {
  const reach = new ResizeObserver((all) => all.forEach(({ target }) => {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }));
  document.querySelectorAll("pre, .ag-code, .measured, .pst-scrollable-table-container").forEach((one) => reach.observe(one));
})();
