"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const value = (cell) => {
    const text = cell.textContent.trim();
    const number = parseFloat(text);
    return Number.isNaN(number) ? text.toLowerCase() : number;
  };
  const compare = (a, b) => (typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === "number" ? -1 : 1);
  [...table.tHead.rows[0].cells].forEach((head, column, all) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      all.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const values = new Map([...body.rows].map((row) => [row, value(row.cells[column])]));
      const rows = [...values.keys()].sort((a, b) => (up ? 1 : -1) * compare(values.get(a), values.get(b)));
      body.append(...rows);
    });
  });
}
