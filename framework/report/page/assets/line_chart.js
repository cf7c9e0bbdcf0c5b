// Curves: one or several lines over common axes, with error bars, a legend and a reading.

const isPoint = (point) => point.x !== null && point.y !== null;

function pointsOf(line) {
  return line.x.map((x, i) => ({x, y: line.y[i], error: line.error?.[i] ?? null, line}));
}

function drawMarks(svg, points, place, style) {
  const marks = svg.append('g').attr('class', style);
  for (const point of points) {
    const [x, y] = place(point);
    if (point.error) {
      const [, low] = place({...point, y: point.y - point.error});
      const [, high] = place({...point, y: point.y + point.error});
      marks.append('path').attrs({class: 'error', d: `M${x - 3},${low}h6m-3,0V${high}m-3,0h6`});
    }
    marks.append('circle').attrs({class: 'dot', cx: x, cy: y, r: 3});
  }
}

function followPointer(svg, points, place, tell) {
  const places = points.map((point) => [...place(point), point]);
  const mark =
      svg.append('circle').attrs({class: 'hover', r: 5, visibility: 'hidden'});
  const node = svg.node();
  if (!places.length) return;
  node.addEventListener('pointermove', (event) => {
    const [x, y] = pointerPlace(node, event);
    // The horizontal distance counts more: a curve is read at an x.
    const distances = places.map((other) => Math.hypot(3 * (other[0] - x), other[1] - y));
    const nearest = places[distances.indexOf(d3.min(distances))];
    mark.attrs({cx: nearest[0], cy: nearest[1], visibility: 'visible'});
    tellReading(node, tell(nearest[2]));
  });
  node.addEventListener('pointerleave', () => {
    mark.attr('visibility', 'hidden');
    tellReading(node, '');
  });
}

const reachOf = (point) => point.error ? [point.y - point.error, point.y + point.error] : [point.y];

// Scales, texts and positions of the axes of a line chart; null if they cannot be computed.
function linesLayout(spec, points, width) {
  const ends = spec.diagonal ? [0, 1] : [];
  const xs = [...points.map((point) => point.x), ...ends];
  const ys = [...points.flatMap(reachOf), ...ends, ...(spec.levels ?? [])];
  const spans = [xs, ys].map((values) => d3.max(values) - d3.min(values));
  if (!spans.every(Number.isFinite)) return null;
  const squarish = spec.det || spec.diagonal;
  const height = Math.round(Math.min(340, Math.max(230, (squarish ? 0.8 : 0.58) * width)));
  const xText = (value) => valueText(value, spec.x_share, 5);
  const top = 28, bottom = height - 46;
  const make = (values, range, margin, logarithmic) =>
      spec.det ? deviateScale(points, range) : valueScale(values, range, margin, logarithmic);
  const yText = (value) => valueText(value, spec.y_share, 5);
  const y = make(ys, [bottom, top], spec.diagonal ? 0 : 0.04, spec.logarithmic);
  const yTicks = ticksOf(y, spec.det ? 9 : 5);
  const left = 14 + widest(yTicks.map(yText));
  const wanted = Math.max(2, Math.floor(width / (spec.det ? 45 : 90)));
  const fewMarks = spec.marks && points.length <= 60;
  // There are no values between counted steps.
  const counted = xs.every(Number.isInteger);
  const upTo = (right) => make(xs, [left, right], spec.marks ? 0.03 : 0);
  const ticksAlong = (x) => fewMarks ? thinTicks(points, x, xText) :
                                       ticksOf(x, wanted).filter((tick) => !counted || Number.isInteger(tick));
  // Half of the last tick's text may stand beyond the axis: "100%".
  const lastTick = d3.max(ticksAlong(upTo(width - 14)));
  const beyond = lastTick === undefined ? 0 : Math.ceil(textWidth(xText(lastTick)) / 2) + 2;
  const right = width - Math.max(14, beyond);
  const x = upTo(right), xTicks = ticksAlong(x);
  return {x, y, xTicks, yTicks, xText, yText, left, right, top, bottom, height};
}

function drawLineAxes(svg, spec, layout) {
  const {x, y, left, right, top, bottom} = layout;
  drawAxis(
      svg, 'left', y, {ticks: layout.yTicks, text: layout.yText, place: left, reach: right - left});
  drawAxis(svg, 'bottom', x, {
    ticks: layout.xTicks,
    text: layout.xText,
    place: bottom,
    reach: spec.det ? bottom - top : 0
  });
  const words = (scale, label) => label + (isLogarithmic(scale) ? ' (log scale)' : '');
  const label = (style, at, height, text) =>
      svg.append('text').attrs({class: style, x: at, y: height}).text(text);
  label('label', 2, 12, words(y, spec.y));
  label('label end', right, layout.height - 10, words(x, spec.x));
}

// What chance, or a perfect match, would give; where values change their sign, if that matters; the
// tolerances; and a text in the corner that curves leave free.
function drawInside(svg, spec, {x, y, left, right, top, bottom}) {
  const [low, high] = x.domain();
  if (spec.zero && low <= 0 && high >= 0)
    svg.append('line').attrs({class: 'reference', x1: x(0), y1: top, x2: x(0), y2: bottom});
  if (spec.diagonal)
    svg.append('line').attrs({class: 'reference', x1: x(0), y1: y(0), x2: x(1), y2: y(1)});
  for (const level of spec.levels ?? []) {
    svg.append('line')
        .attrs({class: 'reference level', x1: left, y1: y(level), x2: right, y2: y(level)});
    svg.append('text').attrs({class: 'label level', x: left + 4, y: y(level) - 4})
        .text('tolerance');
  }
  if (spec.inside)
    svg.append('text').attrs({class: 'label end inside', x: right - 8, y: bottom - 10})
        .text(spec.inside);
}

function pointText(spec, layout, point, named) {
  const y = (value) => valueText(value, spec.y_share);
  return (named ? point.line.name + ': ' : '') +
      `${spec.x} ${layout.xText(point.x)}, ${spec.y} ${y(point.y)}` +
      (point.error ? ` ± ${y(point.error)}` : '');
}

// `spec` has: x, y (labels), det, x_share, y_share, marks (whether points are shown), diagonal and
// zero (whether to draw these lines), steps (whether a point stands for a bin around it), inside (a text), chosen (a point to mark: [x, y]),
// lines: [{name, group, x, y, error}].
function drawLines(spec, width) {
  const measured = spec.lines.flatMap(pointsOf).filter(isPoint);
  const layout = linesLayout(spec, measured, width);
  if (!layout) return note('Its values are too far apart to be drawn.');
  const {x, y, right, height} = layout;
  const {entries, styleOf} = styledLines(spec.lines);
  const svg = newSvg(width, height + legendHeight(entries, right - 4), spec.label);
  drawLineAxes(svg, spec, layout);
  drawInside(svg, spec, layout);
  const place = (point) => [x(point.x), y(point.y)];
  const isPlaced = (point) => isPoint(point) && !place(point).some(Number.isNaN);
  const path = d3.line().defined(isPlaced).x((point) => x(point.x)).y((point) => y(point.y));
  if (spec.steps) path.curve(d3.curveStep);
  const plot = svg.append('g');
  for (const line of spec.lines) {
    const points = pointsOf(line);
    plot.append('path').attrs({class: `line ${styleOf(line)}`, d: path(points)});
    if (spec.marks || (points.length <= 40 && !spec.steps))
      drawMarks(plot, points.filter(isPlaced), place, styleOf(line));
  }
  if (spec.chosen)
    plot.append('circle')
        .attrs({class: 'chosen', cx: x(spec.chosen[0]), cy: y(spec.chosen[1]), r: 7});
  const several = entries.length > 1;
  if (several) drawLegend(svg, entries, 2, right - 4, height + 12);
  const tell = (point) => pointText(spec, layout, point, several);
  followPointer(svg, measured.filter(isPlaced), place, tell);
  return svg.node();
}

// Ticks at the measured values, as far as there is room.
function thinTicks(points, scale, text) {
  const ticks = [];
  for (const value of [...new Set(points.map((point) => point.x))].sort(d3.ascending)) {
    const last = ticks[ticks.length - 1];
    const room = textWidth(text(value)) + 13;
    if (last === undefined || scale(value) - scale(last) >= room) ticks.push(value);
  }
  return ticks;
}
