// A part of the plane: the region of each group, and points.

const mostPlaneSide = 460;

// The regions as one group per place of the grid, from the lowest y.
function expandedRuns(runs) {
  const groups = [];
  for (let i = 0; i < runs.length; i += 2)
    for (let n = 0; n < runs[i]; ++n) groups.push(runs[i + 1]);
  return groups;
}

// Scales and positions of the axes. A unit is as long on both axes if the picture allows it.
function planeLayout(spec, width) {
  const [xLow, xHigh, yLow, yHigh] = spec.range;
  const yTicks = d3.ticks(yLow, yHigh, width < 300 ? 4 : 6);
  const text = (value) => numberText(value, 4);
  const left = 14 + widest(yTicks.map(text));
  const top = 24, room = Math.min(mostPlaneSide, width - left - 12);
  let across = room, up = 0.75 * room;
  if (spec.equal) {
    const unit = room / Math.max(xHigh - xLow, yHigh - yLow);
    across = unit * (xHigh - xLow);
    up = unit * (yHigh - yLow);
  }
  const right = left + across, bottom = top + up;
  const x = d3.scaleLinear().domain([xLow, xHigh]).range([left, right]);
  const y = d3.scaleLinear().domain([yLow, yHigh]).range([bottom, top]);
  const xTicks = x.ticks(Math.max(2, Math.floor(across / 70)));
  return {x, y, xTicks, yTicks, text, left, right, top, bottom, height: bottom + 46};
}

// Omits points between two others on a straight line: contours step from cell to cell.
function withoutStraightPoints(ring) {
  const points = ring.slice(0, -1);
  return points.filter(([x, y], i) => {
    const [x0, y0] = points[(i + points.length - 1) % points.length];
    const [x1, y1] = points[(i + 1) % points.length];
    return Math.abs((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)) > 1e-9;
  });
}

// The outline of a group's region. Contours extend half a cell beyond the grid; that is cut off.
function regionPath(regions, group, {columns, rows}, layout) {
  const values = regions.map((other) => (other === group ? 1 : 0));
  const [contour] = d3.contours().size([columns, rows]).thresholds([0.5])(values);
  const across = d3.scaleLinear().domain([0.5, columns - 0.5]).range([layout.left, layout.right]);
  const up = d3.scaleLinear().domain([0.5, rows - 0.5]).range([layout.bottom, layout.top]);
  across.clamp(true);
  up.clamp(true);
  const place = ([x, y]) => `${across(x).toFixed(1)},${up(y).toFixed(1)}`;
  return contour.coordinates.flat()
      .map((ring) => 'M' + withoutStraightPoints(ring).map(place).join('L') + 'Z')
      .join('');
}

const groupStyle = (group) => (group < 0 ? 'other' : `s${group % coloursOfLines}`);

// Groups also differ in shape. Marks are smaller if there are many.
function groupSymbol(group, size) {
  const type = group < 0 ? d3.symbolCircle : d3.symbols[group % d3.symbols.length];
  return d3.symbol().type(type).size(size)();
}

function drawSamples(svg, spec, layout, size) {
  const samples = svg.append('g');
  // Marked points are drawn last, above the rest.
  for (const [x, y, group, marked] of d3.merge(
           [0, 1].map((wanted) => spec.points.filter((point) => point[3] === wanted))))
    samples.append('path').attrs({
      class: `sample ${groupStyle(group)}${marked ? ' marked' : ''}`,
      transform: `translate(${layout.x(x).toFixed(1)},${layout.y(y).toFixed(1)})`,
      d: groupSymbol(group, marked ? 1.8 * size : size)
    });
}

// The meanings of circles that there are.
function presentCircles(spec) {
  return spec.circle_labels
      .map((name, meaning) =>
               ({name, meaning, count: spec.circles.filter((each) => each[2] === meaning).length}))
      .filter(({count}) => count > 0);
}

// Circles around points: full lines, then dashed ones.
function drawCircles(svg, spec, layout, radius) {
  const circles = svg.append('g');
  for (const [x, y, meaning] of spec.circles)
    circles.append('circle').attrs({
      class: `ring d${meaning % 3}`, cx: layout.x(x).toFixed(1), cy: layout.y(y).toFixed(1),
      r: radius
    });
}

// The visible groups, and the meaning of marks and circles.
function planeEntries(spec, regions) {
  const seen = new Set([...regions, ...spec.points.map((point) => point[2])]);
  const swatch = (group, marked) => (item) => {
    if (group >= 0 && !marked)
      item.append('rect')
          .attrs({class: `region ${groupStyle(group)}`, y: -11, width: 18, height: 13});
    item.append('path').attrs({
      class: `sample ${marked ? 'marked' : groupStyle(group)}`,
      transform: 'translate(9,-4.5)', d: groupSymbol(group, 34)
    });
  };
  const entries = spec.groups.map((name, group) => ({name, group, paint: swatch(group, false)}))
                      .filter((entry) => seen.has(entry.group));
  if (seen.has(-1) && spec.groups.length) entries.push({name: 'unknown', paint: swatch(-1, false)});
  if (spec.marked && spec.points.some((point) => point[3]))
    entries.push({name: spec.marked, paint: swatch(-1, true)});
  for (const {name, meaning} of presentCircles(spec))
    entries.push({
      name,
      paint: (item) => item.append('circle')
          .attrs({class: `ring d${meaning % 3}`, cx: 9, cy: -4.5, r: 6})
    });
  return entries;
}

// The region at a position, as an index into the grid.
function gridIndex(spec, x, y) {
  const [xLow, xHigh, yLow, yHigh] = spec.range;
  const column = Math.round(((x - xLow) / (xHigh - xLow)) * (spec.columns - 1));
  const row = Math.round(((y - yLow) / (yHigh - yLow)) * (spec.rows - 1));
  return row * spec.columns + column;
}

function tellPlane(svg, spec, regions, layout) {
  const node = svg.node(), nearEnough = 8;
  const mark =
      svg.append('circle').attrs({class: 'hover', r: 6, visibility: 'hidden'});
  const nameOf = (group) => (group < 0 ? 'unknown' : spec.groups[group]);
  node.addEventListener('pointermove', (event) => {
    const [px, py] = pointerPlace(node, event);
    const {left, right, top, bottom, text} = layout;
    mark.attr('visibility', 'hidden');
    if (px < left || px > right || py < top || py > bottom) return tellReading(node, '');
    const x = layout.x.invert(px), y = layout.y.invert(py);
    let words = `${spec.x} ${text(x)}, ${spec.y} ${text(y)}`;
    if (regions.length) words += ': ' + nameOf(regions[gridIndex(spec, x, y)]);
    const away =
        spec.points.map((point) => Math.hypot(layout.x(point[0]) - px, layout.y(point[1]) - py));
    const least = d3.min(away);
    if (least <= nearEnough) {
      const [sx, sy, group, marked] = spec.points[away.indexOf(least)];
      mark.attrs({cx: layout.x(sx), cy: layout.y(sy), visibility: 'visible'});
      const kind = spec.groups.length ? `a point of ${nameOf(group)}` : 'a point';
      words += `${regions.length ? ';' : ':'} ${kind}` +
          (marked && spec.marked ? `, ${spec.marked}` : '');
      const circle = spec.circles.find(([cx, cy]) => cx === sx && cy === sy);
      if (circle) words += `, ${spec.circle_labels[circle[2]]}`;
    }
    tellReading(node, words);
  });
  node.addEventListener('pointerleave', () => {
    mark.attr('visibility', 'hidden');
    tellReading(node, '');
  });
}

function drawPlaneAxes(svg, spec, layout) {
  const {left, right, top, bottom, text} = layout;
  drawAxis(svg, 'left', layout.y, {ticks: layout.yTicks, text, place: left});
  drawAxis(svg, 'bottom', layout.x, {ticks: layout.xTicks, text, place: bottom});
  svg.append('rect')
      .attrs({class: 'frame', x: left, y: top, width: right - left, height: bottom - top});
  const label = (style, at, height, words) =>
      svg.append('text').attrs({class: style, x: at, y: height}).text(words);
  label('label', 2, 12, spec.y);
  label('label end', right, bottom + 36, spec.x);
}

// `spec` has: x, y (labels), groups (names), range [x low, x high, y low, y high], equal (whether
// both axes have one scale), columns, rows, regions (runs: length, group, …; may be empty), points
// [[x, y, group or -1, marked]], marked (what a mark means), circles [[x, y, meaning]],
// circle_labels.
function drawPlane(spec, width) {
  const layout = planeLayout(spec, width);
  const regions = expandedRuns(spec.regions), present = [...new Set(regions)].sort(d3.ascending);
  const entries = planeEntries(spec, regions);
  const marked = spec.points.filter((point) => point[3]).length;
  const counts = (regions.length ? `${present.length} regions, ` : '') +
      `${spec.points.length} points` + (spec.marked ? `, ${marked} ${spec.marked}` : '') +
      presentCircles(spec).map(({name, count}) => `, ${count} ${name}`).join('');
  const svg =
      newSvg(width, layout.height + legendHeight(entries, width - 4), `${spec.label}: ${counts}`);
  const plot = svg.append('g');
  for (const group of present)
    plot.append('path').attrs({
      class: `region ${groupStyle(group)}`, 'fill-rule': 'evenodd',
      d: regionPath(regions, group, spec, layout)
    }).append('title')
        .text(spec.groups[group]);
  drawPlaneAxes(svg, spec, layout);
  const crowded = spec.points.length * 600 > (layout.right - layout.left) ** 2;
  drawSamples(svg, spec, layout, crowded ? 14 : 30);
  drawCircles(svg, spec, layout, crowded ? 4.5 : 6);
  if (entries.length > 1) drawLegend(svg, entries, 2, width - 4, layout.height + 12);
  tellPlane(svg, spec, regions, layout);
  return svg.node();
}
