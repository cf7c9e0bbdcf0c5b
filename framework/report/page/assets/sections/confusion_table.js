// A confusion matrix: as a table of counts with few classes, drawn with more; the most confused
// classes beside it.

const mostClassesWithText = 30;
const mostDrawnCells = 60000;
const mostConfusedPairs = 8;

const isConfusion = (table) => table.name.includes('confusion') && table.rows.length >= 2 &&
    table.rows.join('\n') === table.columns.join('\n') && table.values.every((value) => value >= 0);

// The matrix with the sums of its rows, its non-empty cells in order, and the largest share of a row
// that falls to one wrong class.
function confusionOf(table) {
  const n = table.rows.length;
  const counts = table.rows.map((_, row) => rowOf(table, row));
  const sums = counts.map((row) => row.reduce((sum, count) => sum + count, 0));
  const cells = counts.flatMap(
      (row, i) => row.flatMap((count, j) => (count > 0 ? [{row: i, column: j, count}] : [])));
  for (const cell of cells) {
    cell.hit = cell.row === cell.column;
    cell.share = cell.count / sums[cell.row];
  }
  const wrong = cells.filter((cell) => !cell.hit);
  const worst = wrong.reduce((most, cell) => Math.max(most, cell.share), 0);
  return {n, classes: table.rows, sums, cells, wrong, worst};
}

// "cat classified as dog: 12 of 100 (12.0%)"
function confusionWords({classes, sums}, {row, column, count, hit, share}) {
  const what = hit ? `${classes[row]} recognized` : `${classes[row]} classified as ${classes[column]}`;
  return `${what}: ${quantityText(count)} of ${quantityText(sums[row])} (${percentOf(share, 1)})`;
}

function confusionCell(matrix, cell) {
  if (!cell) return make('td', {class: 'zero'}, '0');
  const depth = confusionDepth(cell.share, cell.hit, matrix.worst);
  // Deeper, white has more contrast than black in the light scheme; both have 4.5 there.
  const deep = depth > (cell.hit ? 0.8 : 0.98) ? ' deep' : '';
  return make('td', {
    class: (cell.hit ? 'hit' : 'miss') + deep,
    style: `--a:${depth.toFixed(3)}`,
    title: confusionWords(matrix, cell)
  }, quantityText(cell.count));
}

function confusionTable(matrix) {
  const {n, classes, sums, cells} = matrix;
  const places = new Map(cells.map((cell) => [cell.row * n + cell.column, cell]));
  const head = (name, style) => make('th', {scope: 'col', class: style}, make('span', {}, name));
  const row = (name, i) => make(
      'tr', {}, make('th', {scope: 'row'}, name),
      classes.map((_, j) => confusionCell(matrix, places.get(i * n + j))),
      make('td', {class: 'recall'},
           sums[i] === 0 ? '–' : percentOf(places.get(i * n + i)?.share ?? 0, 1)));
  return make(
      'div', {class: 'scroll'},
      make('table', {class: 'heat'},
           make('thead', {}, make('tr', {}, make('td', {class: 'corner'}, 'true class'),
                                  classes.map((name) => head(name)), head('recognized', 'recall'))),
           make('tbody', {}, classes.map(row))));
}

function mostConfused({classes, wrong, worst}) {
  if (!wrong.length) return note('No sample is misclassified.');
  const shown = [...wrong].sort((a, b) => b.share - a.share).slice(0, mostConfusedPairs);
  return [
    make('h4', {}, 'Most confused'),
    make('ol', {class: 'pairs'}, shown.map(
        ({row, column, share}) => make(
            'li', {}, make('span', {class: 'pair'}, classes[row], ' ',
                           make('span', {class: 'as'}, 'as'), ' ', classes[column]),
            make('span', {class: 'value'}, percentOf(share, 1)), barOf(share / worst, true))))
  ];
}

function confusionSection(table, node) {
  const matrix = confusionOf(table);
  const name = `${node} ${wordsOf(table.name)}`;
  const figure = chartFigure({name}, {
    kind: 'confusion',
    classes: matrix.classes,
    sums: matrix.sums,
    cells: matrix.cells.slice(0, mostDrawnCells).map((cell) => [cell.row, cell.column, cell.count]),
    remark: matrix.cells.length > mostDrawnCells ?
        `Only the first ${countText(mostDrawnCells)} cells are drawn.` : ''
  });
  figure.className = '';
  if (matrix.n <= mostClassesWithText) figure.replaceChildren(confusionTable(matrix));
  const key = (style) => make('b', {class: `key ${style}`});
  figure.append(make(
      'figcaption', {}, 'Rows are the true classes, columns the predicted ones. ', key('hit'),
      'Right, deeper for a larger share of the row.',
      matrix.worst > 0 &&
          [' ', key('miss'), `Wrong, deepest at ${percentOf(matrix.worst, 1)} of the row.`]));
  return make('div', {class: 'confusion'}, figure, make('aside', {}, mostConfused(matrix)));
}
