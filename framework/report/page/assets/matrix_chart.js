// A square matrix of similarities: one cell per pair, rows and columns ordered by class.

// The classes as runs of equal names: [{name, first, end}].
function runsOfNames(names) {
  const runs = [];
  names.forEach((name, i) => {
    if (i > 0 && name === names[i - 1])
      runs[runs.length - 1].end = i + 1;
    else
      runs.push({name, first: i, end: i + 1});
  });
  return runs;
}

// The cells as a picture, one pixel each: thousands of rectangles would be slow.
function matrixPicture(values, colour) {
  const n = values.length, canvas = document.createElement('canvas');
  canvas.width = canvas.height = n;
  const pixels = canvas.getContext('2d');
  values.forEach((row, i) => row.forEach((value, j) => {
    pixels.fillStyle = value === null ? '#808080' : colour(value);
    pixels.fillRect(j, i, 1, 1);
  }));
  return canvas.toDataURL();
}

// Names of the classes beside their rows, where there is room for them, and lines between.
function drawClassRuns(svg, runs, cell, {left, top, side, most}) {
  let reached = -Infinity;
  for (const {name, first, end} of runs) {
    const y = top + cell * (first + end) / 2;
    for (const at of first > 0 ? [first] : []) {
      const place = cell * at;
      svg.append('path').attr('class', 'between').attr(
          'd', `M${left},${top + place}h${side}M${left + place},${top}v${side}`);
    }
    if (y - reached < 13) continue;
    reached = y;
    svg.append('text')
        .attr('class', 'end')
        .attr('x', left - 6)
        .attr('y', y + 4)
        .text(shortened(name, most))
        .append('title')
        .text(name);
  }
}

function tellMatrix(svg, spec, cell, left, top) {
  const node = svg.node();
  node.addEventListener('pointermove', (event) => {
    const [x, y] = pointerPlace(node, event);
    const i = Math.floor((y - top) / cell), j = Math.floor((x - left) / cell);
    const value = spec.values[i]?.[j];
    const words = `${spec.names[i]} and ${spec.names[j]}: ${numberText(value, 4)}`;
    tellReading(node, value === undefined ? '' : words);
  });
  node.addEventListener('pointerleave', () => tellReading(node, ''));
}

// `spec` has: names (of the classes, one per row), values (row by row).
function drawMatrix(spec, width) {
  const known = spec.values.flat().filter((value) => value !== null);
  if (!known.length) return note('It has no finite values.');
  const n = spec.names.length, runs = runsOfNames(spec.names);
  const most = Math.max(52, 0.3 * width);
  const left = 14 + Math.min(most, widest(runs.map((run) => run.name))), top = 8;
  const side = Math.min(420, width - left - 12), cell = side / n;
  const domain = d3.extent(known);
  const colour = d3.scaleSequential(d3.interpolateViridis).domain(domain);
  const shade = (value) => (domain[0] === domain[1] ? d3.interpolateViridis(0.5) : colour(value));
  const svg = newSvg(width, top + side + 46, `${spec.label}: ${n} by ${n}`);
  svg.append('image')
      .attr('class', 'cells')
      .attr('x', left)
      .attr('y', top)
      .attr('width', side)
      .attr('height', side)
      .attr('preserveAspectRatio', 'none')
      .attr('href', matrixPicture(spec.values, shade));
  drawClassRuns(svg, runs, cell, {left, top, side, most});
  drawColourBar(
      svg, shade, domain, left, top + side + 12, Math.min(220, side), (v) => numberText(v, 4));
  tellMatrix(svg, spec, cell, left, top);
  return svg.node();
}
