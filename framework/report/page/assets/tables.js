// Tables that are sorted by a click on a column's head; long ones have a filter.

const rowsWithoutFilter = 10;
const collator = new Intl.Collator('en', {numeric: true, sensitivity: 'base'});

// The sort keys of a column: numbers if all of its cells are numbers, otherwise texts. A cell may
// have its number in data-v; an empty cell has none.
function columnKeys(rows, column) {
  const given = rows.map((row) => row.cells[column].dataset.v);
  const texts = rows.map((row, i) => given[i] ?? row.cells[column].textContent.trim());
  const numbers = texts.map((text) => (text === '' ? null : Number(text)));
  if (numbers.every((number) => number === null || !Number.isNaN(number))) return numbers;
  return texts.map((text) => (text === '' ? null : text));
}

// Missing values come last in both directions; equal rows keep their order.
function compareKeys(a, b, sign) {
  if (a === null || b === null) return (a === null) - (b === null);
  return sign * (typeof a === 'number' ? a - b : collator.compare(a, b));
}

function sortBy(table, column) {
  const heads = [...table.tHead.rows[0].cells];
  const head = heads[column];
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const keys = columnKeys(rows, column);
  // Numbers are sorted in descending order first, unless the column says otherwise.
  const numeric = keys.some((key) => typeof key === 'number');
  const first = head.dataset.first ?? (numeric ? 'descending' : 'ascending');
  const other = first === 'ascending' ? 'descending' : 'ascending';
  const order = head.getAttribute('aria-sort') === first ? other : first;
  for (const each of heads) each.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', order);
  const sign = order === 'ascending' ? 1 : -1;
  const places = rows.map((_, i) => i);
  places.sort((i, j) => compareKeys(keys[i], keys[j], sign) || i - j);
  body.append(...places.map((i) => rows[i]));
}

function makeSortable(table) {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    if (!head.textContent.trim()) return;
    head.append(make('button', {type: 'button', class: 'sort'}, [...head.childNodes]));
    head.addEventListener('click', () => sortBy(table, column));
  });
}

// Shows the rows that contain every typed word.
function makeFilter(table) {
  const rows = [...table.tBodies[0].rows];
  if (rows.length <= rowsWithoutFilter) return;
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const placeholder = `Filter ${rows.length} rows`;
  const input = make('input', {type: 'search', placeholder, 'aria-label': placeholder});
  const shown = make('output');
  (table.closest('.scroll') ?? table).before(make('p', {class: 'filter'}, input, shown));
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    rows.forEach((row, i) => {
      row.hidden = !words.every((word) => texts[i].includes(word));
      count += !row.hidden;
    });
    shown.textContent = words.length ? `${count} of ${rows.length}` : '';
  });
}

function prepareTables() {
  for (const table of document.querySelectorAll('table.sortable')) {
    makeSortable(table);
    makeFilter(table);
  }
}
