// Curves: one or several lines over common axes, with error bars, a legend and a reading.

const coloursOfLines = 7;

// The standard normal quantile; Acklam's rational approximation, relative error below 1.2e-9.
function normalDeviate(p) {
  const a = [-39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239];
  const b = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1];
  const c = [-0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968, 2.938163982698783];
  const d = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1];
  const value = (factors, x) => factors.reduce((sum, factor) => sum * x + factor, 0);
  if (p > 0.5) return -normalDeviate(1 - p);
  if (p < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(p));
    return value(c, q) / value(d, q);
  }
  const q = p - 0.5;
  return (value(a, q * q) * q) / value(b, q * q);
}

// The axes of a DET curve (Martin et al. 1997): error rates by their normal deviates, both over the
// same range, so that equal rates lie on the diagonal. What lies outside of it has no place.
function deviateScale(points, range) {
  const high = 0.6;
  const seen = points.filter((point) => point.x <= high && point.y <= high);
  const rates = seen.flatMap((point) => [point.x, point.y]).filter((rate) => rate > 0);
  const low = Math.max(1e-6, 0.8 * Math.min(0.1, d3.min(rates) ?? 0.01));
  const linear = d3.scaleLinear().domain([normalDeviate(low), normalDeviate(high)]).range(range);
  const scale = (value) => (value < low || value > high ? NaN : linear(normalDeviate(value)));
  scale.domain = () => [low, high];
  scale.range = () => range;
  scale.copy = () => scale;
  scale.deviateTicks = (wanted) => {
    const round = [1e-5, 1e-4, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6];
    const visible = round.filter((value) => value >= low && value <= high);
    return visible.filter((_, i) => (visible.length - 1 - i) % Math.ceil(visible.length / wanted) === 0);
  };
  return scale;
}

const isPoint = (point) => point.x !== null && point.y !== null;

function pointsOf(line) {
  return line.x.map((x, i) => ({ x, y: line.y[i], error: line.error?.[i] ?? null, line }));
}

// The legend in rows that are as wide as the chart; gives its height.
function drawLegend(svg, entries, left, width, top) {
  const rowHeight = 18;
  let x = 0, row = 0;
  const legend = svg.append("g").attr("class", "legend");
  for (const entry of entries) {
    const text = shortened(entry.name, Math.floor((width - 30) / characterWidth));
    const needed = 30 + text.length * characterWidth;
    if (x > 0 && x + needed > width) [x, row] = [0, row + 1];
    const item = legend.append("g").attr("transform", `translate(${left + x},${top + row * rowHeight})`);
    item.append("title").text(entry.name);
    item.append("line").attr("class", `line ${entry.style}`).attr("x2", 18).attr("y1", -4).attr("y2", -4);
    item.append("text").attr("x", 23).text(text);
    x += needed + 12;
  }
  return (row + 1) * rowHeight;
}

function legendHeight(entries, width) {
  const scratch = d3.create("svg");
  return entries.length > 1 ? drawLegend(scratch, entries, 0, width, 0) + 6 : 0;
}

// Lines of the same `group` look alike and stand in the legend once.
function styledLines(lines) {
  const groups = new Map();
  for (const line of lines) {
    const group = line.group ?? line.name;
    if (!groups.has(group)) {
      const i = groups.size;
      groups.set(group, { name: line.name, style: `s${i % coloursOfLines} d${Math.floor(i / coloursOfLines) % 3}` });
    }
  }
  return { entries: [...groups.values()], styleOf: (line) => groups.get(line.group ?? line.name).style };
}

function drawMarks(svg, points, place, style) {
  const marks = svg.append("g").attr("class", style);
  for (const point of points) {
    const [x, y] = place(point);
    if (point.error) {
      const [, low] = place({ ...point, y: point.y - point.error });
      const [, high] = place({ ...point, y: point.y + point.error });
      marks.append("path").attr("class", "error").attr("d", `M${x - 3},${low}h6m-3,0V${high}m-3,0h6`);
    }
    marks.append("circle").attr("class", "dot").attr("cx", x).attr("cy", y).attr("r", 3);
  }
}

function followPointer(svg, points, place, tell) {
  const places = points.map((point) => [...place(point), point]);
  const mark = svg.append("circle").attr("class", "hover").attr("r", 5).attr("visibility", "hidden");
  const node = svg.node();
  if (!places.length) return;
  node.addEventListener("pointermove", (event) => {
    const [x, y] = pointerPlace(node, event);
    // Sideways counts more: one reads a curve at an x.
    const distances = places.map((other) => Math.hypot(3 * (other[0] - x), other[1] - y));
    const nearest = places[distances.indexOf(d3.min(distances))];
    mark.attr("cx", nearest[0]).attr("cy", nearest[1]).attr("visibility", "visible");
    tellReading(node, tell(nearest[2]));
  });
  node.addEventListener("pointerleave", () => {
    mark.attr("visibility", "hidden");
    tellReading(node, "");
  });
}

// Of `spec`: x, y (labels), det, x_share, y_share, lines: [{name, group, x, y, error}].
function drawLines(spec, width) {
  const measured = spec.lines.flatMap(pointsOf).filter(isPoint);
  const height = Math.round(Math.min(340, Math.max(230, spec.det ? 0.8 * width : 0.58 * width)));
  const { entries, styleOf } = styledLines(spec.lines);
  const top = 28, right = width - 14;
  const ys = measured.flatMap((point) => (point.error ? [point.y - point.error, point.y + point.error] : [point.y]));
  const make = (values, range, options) => (spec.det ? deviateScale(measured, range) : valueScale(values, range, options));
  const span = d3.extent(ys)[1] - d3.extent(ys)[0] + d3.extent(measured, (p) => p.x)[1] - d3.extent(measured, (p) => p.x)[0];
  if (!Number.isFinite(span)) return note("Its values lie too far apart to be drawn.");

  const yText = (value) => valueText(value, spec.y_share, 5);
  const xText = (value) => valueText(value, spec.x_share, 5);
  const bottomSpace = 46, bottom = height - bottomSpace;
  const y = make(ys, [bottom, top], { margin: 0.04 });
  const yTicks = ticksOf(y, spec.det ? 9 : 5);
  const left = 14 + characterWidth * d3.max(yTicks, (tick) => yText(tick).length);
  const x = make(measured.map((point) => point.x), [left, right], { margin: spec.marks ? 0.03 : 0 });

  const below = legendHeight(entries, right - 4);
  const svg = newSvg(width, height + below, spec.label);
  drawAxis(svg, "left", y, { ticks: yTicks, text: yText, place: left, reach: right - left });
  // Between counted steps there is nothing.
  const counted = measured.every((point) => Number.isInteger(point.x));
  const isDue = (tick) => !counted || Number.isInteger(tick);
  const xTicks = spec.marks && measured.length <= 60 ? thinTicks(measured, x, xText) : ticksOf(x, Math.max(2, Math.floor(width / (spec.det ? 45 : 90)))).filter(isDue);
  drawAxis(svg, "bottom", x, { ticks: xTicks, text: xText, place: bottom, reach: spec.det ? bottom - top : 0 });
  const labelled = (scale, label) => label + (isLogarithmic(scale) ? " (log scale)" : "");
  svg.append("text").attr("class", "label").attr("x", 2).attr("y", 12).text(labelled(y, spec.y));
  svg.append("text").attr("class", "label end").attr("x", right).attr("y", height - 10).text(labelled(x, spec.x));

  const place = (point) => [x(point.x), y(point.y)];
  const isPlaced = (point) => isPoint(point) && !place(point).some(Number.isNaN);
  const path = d3.line().defined(isPlaced).x((point) => x(point.x)).y((point) => y(point.y));
  const plot = svg.append("g");
  for (const line of spec.lines) {
    const points = pointsOf(line);
    plot.append("path").attr("class", `line ${styleOf(line)}`).attr("d", path(points));
    if (spec.marks || points.length <= 40) drawMarks(plot, points.filter(isPlaced), place, styleOf(line));
  }
  if (entries.length > 1) drawLegend(svg, entries, 2, right - 4, height + 12);
  followPointer(svg, measured.filter(isPlaced), place, (point) =>
    (entries.length > 1 ? point.line.name + ": " : "") + `${spec.x} ${xText(point.x)}, ${spec.y} ${valueText(point.y, spec.y_share)}` +
    (point.error ? ` ± ${valueText(point.error, spec.y_share)}` : ""));
  return svg.node();
}

// Ticks at the measured values, as many of them as have room.
function thinTicks(points, scale, text) {
  const ticks = [];
  for (const value of [...new Set(points.map((point) => point.x))].sort(d3.ascending)) {
    const last = ticks[ticks.length - 1];
    const room = (text(value).length + 2) * characterWidth;
    if (last === undefined || scale(value) - scale(last) >= room) ticks.push(value);
  }
  return ticks;
}

function note(text) {
  const paragraph = document.createElement("p");
  paragraph.className = "note";
  paragraph.textContent = text;
  return paragraph;
}
