// A matrix too large for a name beside each row: one cell per value, with the names of groups of
// rows and columns, such as the classes of samples that are ordered by class.

const mostRunsWithLines = 40;

// The groups as runs of equal names: [{name, first, end}].
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
  const canvas = document.createElement('canvas');
  canvas.width = values[0].length;
  canvas.height = values.length;
  const pixels = canvas.getContext('2d');
  values.forEach((row, i) => row.forEach((value, j) => {
    pixels.fillStyle = value === null ? '#808080' : colour(value);
    pixels.fillRect(j, i, 1, 1);
  }));
  return canvas.toDataURL();
}

// Names of the groups beside their rows, where there is room for them, and lines between.
function drawRowRuns(svg, runs, cell, {left, top, across, most}) {
  let reached = -Infinity;
  for (const {name, first, end} of runs) {
    const y = top + cell * (first + end) / 2;
    if (first > 0 && runs.length <= mostRunsWithLines)
      svg.append('path').attrs({class: 'between', d: `M${left},${top + cell * first}h${across}`});
    if (y - reached < 13) continue;
    reached = y;
    svg.append('text').attrs({class: 'end', x: left - 6, y: y + 4}).text(shortened(name, most))
        .append('title')
        .text(name);
  }
}

// Lines between the groups of columns, and the groups' names below, unless they are the rows'
// names.
function drawColumnRuns(svg, runs, cell, {left, top, up}, named) {
  let reached = -Infinity;
  for (const {name, first, end} of runs) {
    if (first > 0 && runs.length <= mostRunsWithLines)
      svg.append('path').attrs({class: 'between', d: `M${left + cell * first},${top}v${up}`});
    const text = shortened(name, Math.max(20, cell * (end - first) - 6)),
          x = left + cell * (first + end) / 2;
    if (!named || x - textWidth(text) / 2 < reached) continue;
    reached = x + textWidth(text) / 2 + 8;
    svg.append('text').attrs({class: 'middle', x, y: top + up + 14}).text(text)
        .append('title')
        .text(name);
  }
}

function tellMatrix(svg, spec, cells, left, top) {
  const node = svg.node();
  node.addEventListener('pointermove', (event) => {
    const [x, y] = pointerPlace(node, event);
    const i = Math.floor((y - top) / cells.height), j = Math.floor((x - left) / cells.width);
    const value = spec.values[i]?.[j];
    const words = `${spec.rows[i]} and ${spec.columns[j]}: ${valueText(value, spec.share, 4)}`;
    tellReading(node, value === undefined ? '' : words);
  });
  node.addEventListener('pointerleave', () => tellReading(node, ''));
}

// `spec` has: rows, columns (names, equal ones of a group), row_label, column_label, values (null:
// none), share.
function drawMatrix(spec, width) {
  const known = spec.values.flat().filter((value) => value !== null);
  if (!known.length) return note('It has no finite values.');
  const rows = runsOfNames(spec.rows), columns = runsOfNames(spec.columns);
  const alike = spec.rows.join('\n') === spec.columns.join('\n');
  const most = Math.max(52, 0.3 * width);
  const left = 14 + Math.min(most, widest(rows.map((run) => run.name))), top = 8;
  const across = Math.min(420, width - left - 12);
  const up = across * Math.min(1.4, Math.max(0.4, spec.rows.length / spec.columns.length));
  const cells = {width: across / spec.columns.length, height: up / spec.rows.length};
  const domain = d3.extent(known);
  const colour = d3.scaleSequential(d3.interpolateViridis).domain(domain);
  const shade = (value) => (domain[0] === domain[1] ? d3.interpolateViridis(0.5) : colour(value));
  const below = alike ? 0 : 18;
  const size = `${spec.rows.length} by ${spec.columns.length}`;
  const svg = newSvg(width, top + up + below + 46, `${spec.label}: ${size}`);
  svg.append('image').attrs({
    class: 'cells', x: left, y: top, width: across, height: up, preserveAspectRatio: 'none',
    href: matrixPicture(spec.values, shade)
  });
  drawRowRuns(svg, rows, cells.height, {left, top, across, most});
  drawColumnRuns(svg, columns, cells.width, {left, top, up}, !alike);
  const text = (value) => valueText(value, spec.share, 4);
  drawColourBar(svg, shade, domain, left, top + up + below + 12, Math.min(220, across), text);
  tellMatrix(svg, spec, cells, left, top);
  return svg.node();
}
