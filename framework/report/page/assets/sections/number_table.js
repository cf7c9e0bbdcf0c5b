// Tables of numbers, sortable by a click on a column's head.

const mostOpenRows = 40;
const mostColumnsWithBars = 4;  // behind the shares of a table

const rowOf = (table, row) =>
    table.values.slice(row * table.columns.length, (row + 1) * table.columns.length).map(numberOf);

// Columns of shares are percentages, whole numbers have no decimals.
function columnFormat(unit, values) {
  const known = values.filter(Number.isFinite);
  if (unit === 'share' && known.every((value) => value >= 0 && value <= 1)) return 'share';
  return known.every(Number.isInteger) ? 'whole' : 'number';
}

function numberCell(value, format, bars) {
  // An undefined value (the precision of a class never predicted) sorts after all others.
  if (Number.isNaN(value)) return make('td', {'data-v': ''}, '–');
  if (!Number.isFinite(value))
    return make('td', {'data-v': value < 0 ? '-1e308' : '1e308'}, value < 0 ? '−∞' : '∞');
  if (format !== 'share')
    return make('td', {'data-v': value}, quantityText(value, format === 'number' ? 5 : 6));
  return make(
      'td', {class: bars && 'share', 'data-v': value}, bars && barOf(value), percentOf(value, 1));
}

const barOf = (share, miss) => make(
    'span', {class: miss ? 'bar miss' : 'bar'},
    make('i', {style: `width:${(100 * share).toFixed(1)}%`}));

// `units` are those of the columns, `all` is the number of rows where not all of them are here.
function numberTable({row_label, rows, columns, values, units = [], all = rows.length}, where) {
  if (!values.length) return note('It is empty.');
  const table = {columns, values}, numbers = rows.map((_, row) => rowOf(table, row));
  const formats = columns.map((_, i) => columnFormat(units[i], numbers.map((row) => row[i])));
  const bars = formats.filter((format) => format === 'share').length <= mostColumnsWithBars;
  const heads = [row_label, ...columns].map((name) => make('th', {scope: 'col'}, wordsOf(name)));
  const body = numbers.map(
      (row, i) => make(
          'tr', {}, make('th', {scope: 'row'}, rows[i]),
          row.map((value, j) => numberCell(value, formats[j], bars))));
  const shown = make(
      'div', {class: 'scroll'},
      make('table', {class: 'numbers sortable'}, make('thead', {}, make('tr', {}, heads)),
           make('tbody', {}, body)));
  const content = [
    shown,
    all > rows.length &&
        note(`The first ${countText(rows.length)} of ${countText(all)} rows; metrics.json has all of them.`)
  ];
  return all > mostOpenRows ? folded(`${countText(all)} rows`, content) : content;
}
