// The legend: a line's sample and name, or whatever an entry paints itself.

const coloursOfLines = 7;

// Draws the legend in rows of the chart's width; returns its height.
function drawLegend(svg, entries, left, width, top) {
  const rowHeight = 18;
  let x = 0, row = 0;
  const legend = svg.append('g').attr('class', 'legend');
  for (const entry of entries) {
    const text = shortened(entry.name, width - 30);
    const needed = 30 + textWidth(text);
    if (x > 0 && x + needed > width) [x, row] = [0, row + 1];
    const item =
        legend.append('g').attr('transform', `translate(${left + x},${top + row * rowHeight})`);
    item.append('title').text(entry.name);
    if (entry.paint)
      entry.paint(item);
    else
      item.append('line').attrs({class: `line ${entry.style}`, x2: 18, y1: -4, y2: -4});
    item.append('text').attr('x', 23).text(text);
    x += needed + 12;
  }
  return (row + 1) * rowHeight;
}

function legendHeight(entries, width) {
  const scratch = d3.create('svg');
  return entries.length > 1 ? drawLegend(scratch, entries, 0, width, 0) + 6 : 0;
}

// Lines of the same `group` look alike and have one entry in the legend.
function styledLines(lines) {
  const groups = new Map();
  for (const line of lines) {
    const group = line.group ?? line.name;
    if (!groups.has(group)) {
      const i = groups.size;
      groups.set(group, {
        name: line.name,
        style: `s${i % coloursOfLines} d${Math.floor(i / coloursOfLines) % 3}`
      });
    }
  }
  return {
    entries: [...groups.values()],
    styleOf: (line) => groups.get(line.group ?? line.name).style
  };
}
