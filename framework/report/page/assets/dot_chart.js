// One row per name with a value and its deviation: a dot, as for all combinations of a study, best
// first, or a bar from zero.

function dotStyle(row) {
  return row.best ? 'best' : row.baseline ? 'baseline' : 'other';
}

// `spec` has: metric, share, reference (where the dashed line is; the baseline's mean by default),
// fromZero (bars instead of dots), rows: [{name, mean (null: none), deviation, n, best, baseline}].
function drawDots(spec, width) {
  const rows = spec.rows;
  if (!rows.length) return note('Nothing was measured.');
  const rowHeight = 20, long = rows.length > 20, top = long ? 44 : 22,
        bottom = top + rowHeight * rows.length + 6;
  const most = Math.max(65, 0.42 * width);
  const names = fittingNames(rows.map((row) => row.name), most, boldWeight);
  const left = 14 + widest(names, boldWeight);
  const right = width - 18;
  const reach = (row) =>
      (row.mean === null ? [] : [row.mean - (row.deviation ?? 0), row.mean + (row.deviation ?? 0)]);
  const reference = spec.reference ?? rows.find((row) => row.baseline)?.mean ?? null;
  const values = reference === null ? rows.flatMap(reach) : [...rows.flatMap(reach), reference];
  const x = spec.fromZero ?
      d3.scaleLinear().domain(d3.extent(values)).nice(5).range([left + 6, right]) :
      valueScale(values, [left + 6, right], 0.04);
  const text = (value) => valueText(value, spec.share, 5);
  const svg = newSvg(width, bottom + 28, spec.label);
  svg.append('text').attrs({class: 'label end', x: right, y: 12})
      .text(spec.metric + (isLogarithmic(x) ? ' (log scale)' : ''));
  const ticks = ticksOf(x, Math.max(2, Math.floor((right - left) / 80)));
  drawAxis(svg, 'bottom', x, {ticks, text, place: bottom, reach: bottom - top});
  if (long) drawAxis(svg, 'top', x, {ticks, text, place: top});
  if (reference !== null)
    svg.append('line')
        .attrs({class: 'reference', x1: x(reference), x2: x(reference), y1: top, y2: bottom});
  rows.forEach(
      (row, i) => drawDotRow(
          svg, row, names[i], top + (i + 0.5) * rowHeight,
          {x, left, right, text, rowHeight, fromZero: spec.fromZero}));
  return svg.node();
}

// `spec` has: metric, share, rows: [{name, mean, deviation}].
function drawBars(spec, width) {
  const values =
      spec.rows.flatMap((row) => (row.mean === null ? [] : [row.mean, row.deviation ?? 0]));
  if (!values.some((value) => value !== 0))
    return note('All of its values are 0, or there are none.');
  if (!values.every((value) => Math.abs(value) < 1e300))
    return note('Its values are too far apart to be drawn.');
  return drawDots({...spec, fromZero: true, reference: 0}, width);
}

function drawDotRow(svg, row, name, y, {x, left, right, text, rowHeight, fromZero}) {
  const words = `${row.name}: ${text(row.mean)}` +
      (row.deviation === null || row.mean === null ? '' : ` ± ${text(row.deviation)}`) +
      (row.n > 1 ? `, n = ${row.n}` : '');
  const group = svg.append('g').attr('class', dotStyle(row));
  group.append('title').text(words);
  group.append('rect')
      .attrs({class: 'touch', x: 0, y: y - rowHeight / 2, width: right, height: rowHeight});
  group.append('text').attrs({class: 'end', x: left - 6, y: y + 4}).text(name);
  if (fromZero && row.mean !== null)
    group.append('rect').attrs({
      class: 'bar', x: Math.min(x(0), x(row.mean)), y: y - 6,
      width: Math.abs(x(row.mean) - x(0)), height: 12
    });
  if (row.deviation && row.mean !== null)
    group.append('line').attrs({
      class: 'error', x1: x(row.mean - row.deviation), x2: x(row.mean + row.deviation), y1: y,
      y2: y
    });
  if (!fromZero)
    group.append('circle').attrs({class: 'dot', cx: x(row.mean), cy: y, r: 4});
  group.node().addEventListener('pointerenter', () => tellReading(group.node(), words));
}
