"use strict";
// A click on a column's head sorts by it, a second click the other way round.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  const original = [...body.rows];
  const key = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.v === undefined ? null : Number(cell.dataset.v);
  };
  const compare = (a, b, column) => {
    const x = key(a, column);
    const y = key(b, column);
    if (x !== null && y !== null) return x - y || 0;
    const options = { numeric: true };
    return a.cells[column].textContent.localeCompare(b.cells[column].textContent, "en", options);
  };
  heads.forEach((head, column) => {
    if (!head.textContent) return;
    head.dataset.sort = "";
    head.tabIndex = 0;
    const sort = () => {
      // Numbers are most often wanted from the greatest down.
      const first = original[0] && original[0].cells[column].dataset.v ? "descending" : "ascending";
      const other = first === "ascending" ? "descending" : "ascending";
      const order = head.getAttribute("aria-sort") === first ? other : first;
      for (const each of heads) each.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      body.append(...[...original].sort((a, b) => sign * compare(a, b, column)));
    };
    head.addEventListener("click", sort);
    head.addEventListener("keydown", (event) => {
      if (event.key === "Enter") sort();
    });
  });
}
// On paper nothing can be opened.
addEventListener("beforeprint", () => {
  for (const closed of document.querySelectorAll("details")) closed.open = true;
});
