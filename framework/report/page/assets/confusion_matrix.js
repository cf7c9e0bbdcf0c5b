// The confusion matrix of a classifier, true classes in rows.

const mostNamedClasses = 30;
const mostClassName = 104;  // pixels

// The depth of a cell's colour, 0..1. Errors are relative to the largest error: relative to the
// whole row, a good classifier's errors would be invisible.
function confusionDepth(share, hit, worst) {
  if (hit) return share;
  return worst > 0 ? Math.pow(share / worst, 0.7) * Math.min(1, 0.35 + 2 * worst) : 0;
}

// The positions of the cells of n classes.
function confusionLayout(classes, width) {
  const n = classes.length;
  if (n > mostNamedClasses)
    return {named: false, left: 4, top: 4, cell: Math.min(width - 8, 600) / n, gap: 0};
  const left = 16 + Math.min(mostClassName, widest(classes));
  const cell = Math.max(26, Math.min(46, (width - left - 4) / n));
  return {named: true, left, top: columnLabelsHeight(classes, cell), cell, gap: 1};
}

function drawConfusionCell(svg, {x, y, size, gap, hit, depth, words, count, named}) {
  const rect = svg.append('rect').attrs({
    class: hit ? 'hit' : 'miss', x: x + gap, y: y + gap, width: size - 2 * gap,
    height: size - 2 * gap, 'fill-opacity': Math.max(depth, 0.06).toFixed(3)
  });
  rect.node().addEventListener('pointerenter', () => tellReading(rect.node(), words));
  if (!named) return;
  rect.append('title').text(words);
  if (textWidth(count, boldWeight) < size - 2 * gap)
    svg.append('text').attrs({
      class: depth > (hit ? 0.8 : 0.98) ? 'middle onDark' : 'middle onCell', x: x + size / 2,
      y: y + size / 2 + 4
    }).text(count);
}

// `spec` has: classes (names), sums (of the rows), cells: [row, column, count], only those above 0.
function drawConfusion(spec, width) {
  const {classes, sums, cells} = spec;
  const {named, left, top, cell, gap} = confusionLayout(classes, width);
  const side = classes.length * cell;
  const svg = newSvg(left + side + (named ? 30 : 4), top + side + 4, spec.label);
  svg.append('rect').attrs({class: 'ground', x: left, y: top, width: side, height: side});
  if (named) {
    drawColumnLabels(svg, classes, cell, left, top);
    drawRowLabels(svg, classes, cell, left, top, mostClassName);
  }
  const share = ([row, , count]) => (sums[row] > 0 ? count / sums[row] : 0);
  const worst = d3.max(cells.filter(([row, column]) => row !== column), share) ?? 0;
  for (const item of cells) {
    const [row, column] = item;
    const hit = row === column, count = numberText(item[2]);
    const what =
        hit ? `${classes[row]} recognized` : `${classes[row]} classified as ${classes[column]}`;
    drawConfusionCell(svg, {
      x: left + column * cell,
      y: top + row * cell,
      size: cell,
      depth: confusionDepth(share(item), hit, worst),
      words: `${what}: ${count} of ${numberText(sums[row])} (${percentText(share(item), 3)})`,
      gap,
      hit,
      count,
      named,
    });
  }
  return svg.node();
}
