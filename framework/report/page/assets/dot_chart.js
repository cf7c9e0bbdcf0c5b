// All combinations of a study, best first: a dot at the mean, a bar of one standard deviation.

function dotStyle(row) {
  return row.best ? 'best' : row.baseline ? 'baseline' : 'other';
}

// `spec` has: metric, share, reference (where the dashed line is; the baseline's mean by default),
// rows: [{name, mean, deviation, n, best, baseline}].
function drawDots(spec, width) {
  const rows = spec.rows;
  if (!rows.length) return note('Nothing was measured.');
  const rowHeight = 20, long = rows.length > 20, top = long ? 44 : 22,
        bottom = top + rowHeight * rows.length + 6;
  const most = Math.max(65, 0.42 * width);
  const names = fittingNames(rows.map((row) => row.name), most, boldWeight);
  const left = 14 + widest(names, boldWeight);
  const right = width - 18;
  const reach = (row) => [row.mean - (row.deviation ?? 0), row.mean + (row.deviation ?? 0)];
  const reference = spec.reference ?? rows.find((row) => row.baseline)?.mean ?? null;
  const values = reference === null ? rows.flatMap(reach) : [...rows.flatMap(reach), reference];
  const x = valueScale(values, [left + 6, right], 0.04);
  const text = (value) => valueText(value, spec.share, 5);
  const svg = newSvg(width, bottom + 28, spec.label);
  svg.append('text')
      .attr('class', 'label end')
      .attr('x', right)
      .attr('y', 12)
      .text(spec.metric + (isLogarithmic(x) ? ' (log scale)' : ''));
  const ticks = ticksOf(x, Math.max(2, Math.floor((right - left) / 80)));
  drawAxis(svg, 'bottom', x, {ticks, text, place: bottom, reach: bottom - top});
  if (long) drawAxis(svg, 'top', x, {ticks, text, place: top});
  if (reference !== null)
    svg.append('line')
        .attr('class', 'reference')
        .attr('x1', x(reference))
        .attr('x2', x(reference))
        .attr('y1', top)
        .attr('y2', bottom);
  rows.forEach(
      (row, i) => drawDotRow(
          svg, row, names[i], top + (i + 0.5) * rowHeight, {x, left, right, text, rowHeight}));
  return svg.node();
}

function drawDotRow(svg, row, name, y, {x, left, right, text, rowHeight}) {
  const words = `${row.name}: ${text(row.mean)}` +
      (row.deviation === null ? '' : ` ± ${text(row.deviation)}`) +
      (row.n > 1 ? `, n = ${row.n}` : '');
  const group = svg.append('g').attr('class', dotStyle(row));
  group.append('title').text(words);
  group.append('rect')
      .attr('class', 'touch')
      .attr('x', 0)
      .attr('y', y - rowHeight / 2)
      .attr('width', right)
      .attr('height', rowHeight);
  group.append('text')
      .attr('class', 'end')
      .attr('x', left - 6)
      .attr('y', y + 4)
      .text(name);
  if (row.deviation)
    group.append('line')
        .attr('class', 'error')
        .attr('x1', x(row.mean - row.deviation))
        .attr('x2', x(row.mean + row.deviation))
        .attr('y1', y)
        .attr('y2', y);
  group.append('circle').attr('class', 'dot').attr('cx', x(row.mean)).attr('cy', y).attr('r', 4);
  group.node().addEventListener('pointerenter', () => tellReading(group.node(), words));
}
