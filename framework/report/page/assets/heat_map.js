// Heat maps: the values of a table as colours.

const mostCellsWithText = 900;
const mostColumnLabel = 130;  // pixels

// Labels above the columns, slanted if one is wider than a column.
function drawColumnLabels(svg, labels, cell, left, top) {
  const slanted = widest(labels) > cell - 4;
  labels.forEach((label, i) => {
    const x = left + (i + 0.5) * cell;
    const text = svg.append('text').text(shortened(label, mostColumnLabel));
    if (slanted)
      text.attr('transform', `translate(${x + 4},${top - 8}) rotate(-45)`);
    else
      text.attrs({class: 'middle', x, y: top - 8});
    text.append('title').text(label);
  });
}

function columnLabelsHeight(labels, cell) {
  const longest = Math.min(mostColumnLabel, widest(labels));
  return longest > cell - 4 ? 0.71 * longest + 16 : 22;
}

function drawRowLabels(svg, labels, cell, left, top, most) {
  labels.forEach((label, i) => {
    svg.append('text').attrs({class: 'end', x: left - 8, y: top + (i + 0.5) * cell + 4})
        .text(shortened(label, most))
        .append('title')
        .text(label);
  });
}

// The colour scale with its ends and middle.
function drawColourBar(svg, colour, domain, left, top, width, text) {
  const steps = 48;
  const bar = svg.append('g');
  for (let i = 0; i < steps; ++i)
    bar.append('rect').attrs({
      x: left + (i * width) / steps, y: top, width: width / steps + 0.5, height: 10,
      fill: colour(domain[0] + ((i + 0.5) / steps) * (domain[1] - domain[0]))
    });
  const ticks =
      domain[0] === domain[1] ? [domain[0]] : [domain[0], (domain[0] + domain[1]) / 2, domain[1]];
  ticks.forEach((value, i) => {
    const at = ticks.length === 1 ? 0.5 : i / 2;
    svg.append('text')
        .attrs({class: ['start', 'middle', 'end'][2 * at], x: left + at * width, y: top + 24})
        .text(text(value));
  });
}

// White has more contrast with it than black.
const isDark = (colour) => d3.hcl(colour).l < 50;

function drawHeatCells(svg, spec, box, colour, text) {
  const {left, top, cell, cellHeight} = box;
  const withText = spec.rows.length * spec.columns.length <= mostCellsWithText;
  spec.values.forEach((row, i) => row.forEach((value, j) => {
    const x = left + j * cell, y = top + i * cellHeight;
    const shade = value === null ? null : colour(value);
    const rect = svg.append('rect')
        .attrs({x: x + 0.5, y: y + 0.5, width: cell - 1, height: cellHeight - 1});
    if (shade)
      rect.attr('fill', shade);
    else
      rect.attr('class', 'missing');
    const words = `${spec.rows[i]}, ${spec.columns[j]}: ${text(value)}`;
    rect.append('title').text(words);
    rect.node().addEventListener('pointerenter', () => tellReading(rect.node(), words));
    const label = text(value);
    if (!withText || textWidth(label) > cell - 5) return;
    svg.append('text').attrs({
      class: shade ? (isDark(shade) ? 'middle onDark' : 'middle onLight') : 'middle',
      x: x + cell / 2, y: y + cellHeight / 2 + 4
    }).text(label);
  }));
}

// `spec` has: rows, columns (names), row_label, column_label, values (null: none), share, chosen (a
// cell to mark: [row, column]).
function drawHeat(spec, width) {
  const known = spec.values.flat().filter((value) => value !== null);
  if (!known.length) return note('Nothing was measured.');
  const most = Math.max(52, 0.34 * width);
  const left = 16 + Math.min(most, widest(spec.rows));
  const cell = Math.max(30, Math.min(92, (width - left - 26) / spec.columns.length));
  const cellHeight = Math.max(24, Math.min(34, cell));
  const top = 26 + columnLabelsHeight(spec.columns, cell);
  const right = left + cell * spec.columns.length, bottom = top + cellHeight * spec.rows.length;
  const domain = d3.extent(known);
  const colour = d3.scaleSequential(d3.interpolateViridis).domain(domain);
  const shade = (value) => (domain[0] === domain[1] ? d3.interpolateViridis(0.5) : colour(value));
  const text = (value) =>
      (spec.share && value !== null ? `${(100 * value).toFixed(2)}%` : numberText(value, 4));

  const svg = newSvg(Math.max(right + 26, left + 160), bottom + 52, spec.label);
  svg.append('text').attrs({class: 'label', x: 2, y: 12}).text(shortened(
          `${spec.row_label} (rows) by ${spec.column_label} (columns)`,
          width - 4));
  drawColumnLabels(svg, spec.columns, cell, left, top);
  drawRowLabels(svg, spec.rows, cellHeight, left, top, most);
  drawHeatCells(svg, spec, {left, top, cell, cellHeight}, shade, text);
  if (spec.chosen)
    svg.append('rect').attrs({
      class: 'chosen', x: left + spec.chosen[1] * cell + 1,
      y: top + spec.chosen[0] * cellHeight + 1, width: cell - 2, height: cellHeight - 2
    });
  drawColourBar(
      svg, shade, domain, left, bottom + 16, Math.min(220, Math.max(130, right - left)), text);
  return svg.node();
}
