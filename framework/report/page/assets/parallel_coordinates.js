// Parallel coordinates: an axis per slot and one for the mean, a line per combination.

const laneWidth = 10;  // over which the lines of one choice spread, so that they can be distinguished

// `spec` has: metric, share, axes: [{name, alternatives}], rows: [{name, choices: indices, mean,
// best, baseline}], the best first.
function drawParallel(spec, width) {
  const {axes, rows} = spec;
  if (!rows.length) return note('No combination has a choice in every slot.');
  const most = d3.max(axes, (axis) => axis.alternatives.length);
  const top = 44, bottom = top + Math.max(160, Math.min(420, 26 * most)), right = width - 58;
  const x = d3.scalePoint().domain(d3.range(axes.length + 1)).range([14, right]);
  const room = Math.max(24, x.step() - 16);
  const places = axes.map(
      (axis) => d3.scalePoint().domain(d3.range(axis.alternatives.length)).range([bottom - 12, top + 12]));
  const y = valueScale(rows.map((row) => row.mean), [bottom, top], 0.04);
  const svg = newSvg(width, bottom + 12, spec.label);
  // The best are drawn last, over the others.
  [...rows].reverse().forEach((row, i) => drawParallelLine(svg, spec, row, i, {x, y, places}));
  axes.forEach((axis, a) => drawChoices(svg, axis, x(a), places[a], {top, bottom, room}));
  const text = (value) => valueText(value, spec.share, 4);
  drawAxis(svg.append('g').attr('transform', `translate(${right + 52},0)`), 'left', y,
           {ticks: ticksOf(y, 6), text, place: 0});
  svg.append('text').attrs({class: 'label end', x: width - 6, y: 28}).text(
      shortened(spec.metric, room + 40));
  return svg.node();
}

function drawParallelLine(svg, spec, row, i, {x, y, places}) {
  const spread = laneWidth * ((i * 0.618034) % 1 - 0.5);
  const points = row.choices.map((choice, a) => [x(a), places[a](choice) + spread]);
  points.push([x(row.choices.length), y(row.mean)]);
  const words = `${row.name}: ${valueText(row.mean, spec.share, 5)}`;
  const share = spec.rows.length > 1 ? i / (spec.rows.length - 1) : 1;
  const line = svg.append('path').attrs({
    class: `parallel ${dotStyle(row)}`, d: d3.line()(points), fill: 'none',
    'stroke-opacity': (0.08 + 0.8 * share ** 3).toFixed(3)
  });
  line.append('title').text(words);
  line.node().addEventListener('pointerenter', () => tellReading(line.node(), words));
}

function drawChoices(svg, axis, x, place, {top, bottom, room}) {
  svg.append('line').attrs({class: 'axis', x1: x, x2: x, y1: top, y2: bottom});
  const name = svg.append('text').attrs({class: 'label', x: x - 8, y: 28});
  name.text(shortened(axis.name, room));
  name.append('title').text(axis.name);
  axis.alternatives.forEach((alternative, i) => {
    const text = svg.append('text').attrs({class: 'choice', x: x + 5, y: place(i) + 4});
    text.text(shortened(alternative, room));
    text.append('title').text(alternative);
  });
}
