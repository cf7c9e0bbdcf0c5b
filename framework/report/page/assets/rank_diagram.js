// The critical-difference diagram (Demsar 2006, figure 1): average ranks on a line, a thick bar
// over the methods whose ranks differ by less than the critical difference.

// Groups of consecutive ranks that do not differ significantly; only maximal groups.
function groupsWithin(ranks, difference) {
  const groups = [];
  let reached = -1;
  ranks.forEach((rank, first) => {
    let last = first;
    while (last + 1 < ranks.length && ranks[last + 1] - rank < difference) ++last;
    if (last > first && last > reached) groups.push([first, last]);
    reached = Math.max(reached, last);
  });
  return groups;
}

// Overlapping bars are stacked; returns the level of each.
function levelsOf(groups) {
  const ends = [];
  return groups.map(([first, last]) => {
    let level = ends.findIndex((end) => end < first);
    if (level < 0) level = ends.length;
    ends[level] = last;
    return level;
  });
}

function drawRankAxis(svg, x, top, low, high) {
  const step = Math.ceil((high - low) / Math.max(2, Math.floor(Math.abs(x(high) - x(low)) / 34)));
  drawAxis(svg, 'top', x, {ticks: d3.range(low, high + 1, step), text: numberText, place: top});
}

function drawRankLabels(svg, methods, x, {left, right, top, first, most}) {
  const half = Math.ceil(methods.length / 2);
  const names = fittingNames(methods.map((method) => method.name), most, boldWeight);
  methods.forEach((method, i) => {
    const leftSide = i < half;
    const y = top + first + 20 * (leftSide ? i : methods.length - 1 - i);
    const end = leftSide ? left : right;
    const group = svg.append('g').attr('class', dotStyle(method));
    group.append('path').attrs({class: 'leader', d: `M${x(method.rank)},${top}V${y}H${end}`});
    group.append('text')
        .attrs({class: leftSide ? 'end' : 'start', x: leftSide ? end - 6 : end + 6, y: y + 4})
        .text(names[i])
        .append('title')
        .text(`${method.name}: average rank ${method.rank.toFixed(2)}`);
  });
}

// The length of the critical difference, above the axis; a text where it is longer than the axis.
function drawDifference(svg, x, low, high, difference) {
  const bar = svg.append('g').attr('class', 'difference');
  const fits = low + difference <= high;
  if (fits)
    bar.append('path').attr(
        'd', `M${x(low)},18v8m0,-4h${x(low + difference) - x(low)}m0,-4v8`);
  bar.append('text').attrs({class: 'start', x: x(low), y: fits ? 12 : 24})
      .text(`CD = ${numberText(difference, 3)}` + (fits ? '' : ', longer than the axis'));
}

function drawGroups(svg, x, ranks, groups, levels, top) {
  groups.forEach(([from, to], i) => {
    const y = top + 9 * levels[i];
    svg.append('line')
        .attrs({class: 'clique', x1: x(ranks[from]) - 4, x2: x(ranks[to]) + 4, y1: y, y2: y});
  });
}

// `spec` has: methods: [{name, rank, best, baseline}] by rank, difference.
function drawRanks(spec, width) {
  const {methods, difference} = spec;
  const ranks = methods.map((method) => method.rank);
  const drawn = Math.max(560, width);
  const longest = widest(methods.map((method) => method.name), boldWeight);
  const most = Math.min(longest, 0.3 * drawn);
  const left = 24 + most, right = drawn - left;
  const low = Math.floor(d3.min(ranks));
  // No rank is beyond the number of methods.
  const high = Math.max(low + 1, Math.ceil(d3.max(ranks)));
  const x = d3.scaleLinear().domain([low, high]).range([left + 10, right - 10]);
  const groups = groupsWithin(ranks, difference);
  const levels = levelsOf(groups);
  const top = 66, first = 22 + 9 * (levels.length ? d3.max(levels) + 1 : 0);
  const svg = newSvg(drawn, top + first + 20 * Math.ceil(methods.length / 2), spec.label);
  drawDifference(svg, x, low, high, difference);
  drawRankAxis(svg, x, top, low, high);
  drawRankLabels(svg, methods, x, {left, right, top, first, most});
  drawGroups(svg, x, ranks, groups, levels, top + 10);
  return svg.node();
}
