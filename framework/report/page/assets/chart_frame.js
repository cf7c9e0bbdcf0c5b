// What all charts share: number texts, scales, axes, the drawing area.

// Several attributes at once.
d3.selection.prototype.attrs = function(values) {
  for (const [name, value] of Object.entries(values)) this.attr(name, value);
  return this;
};

const rulers = new Map();

// The width of a text in a chart, in pixels. An estimate from its length would cut texts: an m is
// twice as wide as the average letter. Digits are counted as wide as the widest digit.
function textWidth(text, weight = 400) {
  if (!rulers.has(weight)) {
    const ruler = document.createElement('canvas').getContext('2d');
    ruler.font = `${weight} 12px ${getComputedStyle(document.body).fontFamily}`;
    rulers.set(weight, ruler);
  }
  return rulers.get(weight).measureText(text.replace(/[0-9]/g, '0')).width;
}

const boldWeight = 650;  // of the best method, in charts.css
const widest = (texts, weight) => Math.ceil(d3.max(texts, (text) => textWidth(text, weight)));

function exponentText(value, digits) {
  const [lead, power] = value.toExponential(digits).split('e');
  const raised = [...String(Number(power))].map((c) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[c] ?? '⁻').join('');
  const plain = String(Number(lead)).replace('-', '−');
  return (plain === '1' ? '' : plain === '−1' ? '−' : plain + '·') + '10' + raised;
}

function numberText(value, digits = 6) {
  if (value === null || !Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e7 || size < 1e-3))
    return exponentText(value, Math.min(digits, 4) - 1);
  return d3.format(`,.${digits}~r`)(value).replace('-', '−');
}

function percentText(value, digits = 4) {
  if (value === null || !Number.isFinite(value)) return '–';
  return d3.format(`.${digits}~r`)(100 * value).replace('-', '−') + '%';
}

function valueText(value, share, digits) {
  return share ? percentText(value, digits ?? 4) : numberText(value, digits ?? 6);
}

// The part of the text that fits into the width, at least its first character.
function shortened(text, room, weight) {
  if (textWidth(text, weight) <= room) return text;
  let length = text.length - 1;
  while (length > 1 && textWidth(text.slice(0, length) + '…', weight) > room) --length;
  return text.slice(0, length) + '…';
}

// A combination's name without the middles of its longest choices: "simil…ty/s1 · 10".
function narrowed(name, room, weight) {
  const choices = name.split(' · ').map((text) => ({text, kept: text.length}));
  const short = ({text, kept}) => kept + 1 >= text.length ?
      text :
      text.slice(0, Math.ceil(kept / 2)) + '…' + text.slice(text.length - Math.floor(kept / 2));
  for (;;) {
    const shown = choices.map(short).join(' · ');
    const longest = choices.reduce((a, b) => (b.kept > a.kept ? b : a));
    if (textWidth(shown, weight) <= room) return shown;
    if (longest.kept <= 2) return shortened(shown, room, weight);
    --longest.kept;
  }
}

// Names of combinations that fit into the room and can be distinguished: whole ones, or the choices
// alone where those do not fit ("svm · C = 10" becomes "svm · 10"), narrowed if need be.
function fittingNames(names, room, weight) {
  const fits = (all) => all.every((name) => textWidth(name, weight) <= room);
  const choices = names.map((name) => name.replace(/(^| · )[^·]*? = /g, '$1'));
  const shown = fits(names) || new Set(choices).size < names.length ? names : choices;
  return shown.map((name) => narrowed(name, room, weight));
}

// Positive values over two decades or more get a logarithmic scale, unless most of them are in the
// last decade: counted steps (1, 2, 3, …) stay linear however many there are.
function wantsLogarithm(values) {
  const [low, high] = d3.extent(values);
  return low > 0 && high / low >= 100 && d3.median(values) <= 0.12 * high;
}

// A scale over the values, with a margin on both sides, as a share of their range. If it must be
// logarithmic, the values are positive.
function valueScale(values, range, margin = 0, logarithmic = false) {
  const [low, high] = d3.extent(values);
  if (logarithmic ? low < high : wantsLogarithm(values)) {
    const space = (high / low) ** margin;
    return d3.scaleLog().domain([low / space, high * space]).range(range);
  }
  // A smaller range cannot be divided by.
  const flat = high - low < 1e-300;
  const around = !flat ? margin * (high - low) : Math.abs(low) > 1e-300 ? 0.1 * Math.abs(low) : 1;
  // The margin does not make values look negative that cannot be.
  const bottom = low >= 0 ? Math.max(0, low - around) : low - around;
  return d3.scaleLinear().domain([bottom, high + around]).range(range);
}

const isLogarithmic = (scale) => 'base' in scale;

// Round values of a scale, about `wanted` of them, at least two if possible.
function ticksOf(scale, wanted) {
  if (scale.deviateTicks) return scale.deviateTicks(wanted);
  if (!isLogarithmic(scale)) {
    // One tick says nothing of the scale.
    for (let more = wanted;; ++more) {
      const ticks = scale.ticks(more);
      if (ticks.length > 1 || more > wanted + 3) return ticks;
    }
  }
  const [low, high] = scale.domain();
  const powers =
      d3.range(Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9) + 1);
  if (powers.length < 2) {
    const ticks = scale.ticks(wanted);
    return ticks.filter((_, i) => i % Math.ceil(ticks.length / wanted) === 0);
  }
  const step = Math.ceil(powers.length / wanted);
  return powers.filter((_, i) => i % step === 0).map((power) => 10 ** power);
}

// D3's axis with the page's styles; `place` is the axis's position, `reach` the length of its grid.
function drawAxis(parent, orientation, scale, {ticks, text, place, reach = 0}) {
  const axis = {left: d3.axisLeft, bottom: d3.axisBottom, top: d3.axisTop}[orientation](scale);
  axis.tickValues(ticks)
      .tickFormat(text)
      .tickSizeOuter(0)
      .tickSizeInner(orientation === 'left' ? 0 : 4)
      .tickPadding(5);
  const moved = orientation === 'left' ? `translate(${place},0)` : `translate(0,${place})`;
  const group =
      parent.append('g').attrs({class: `axis ${orientation}`, transform: moved}).call(axis);
  for (const name of ['fill', 'font-size', 'font-family']) group.attr(name, null);
  group.selectAll('line, path, text').attrs({stroke: null, fill: null});
  if (orientation === 'left') group.select('.domain').remove();
  if (reach)
    group.selectAll('.tick')
        .append('line')
        .attr('class', 'grid')
        .attr(orientation === 'left' ? 'x2' : 'y2', orientation === 'bottom' ? -reach : reach);
  return group;
}

function newSvg(width, height, label) {
  return d3.create('svg')
      .attrs({viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': label});
}

// The pointer's position in units of the drawing, at any size of the picture.
function pointerPlace(svg, event) {
  const box = svg.getBoundingClientRect();
  const view = svg.viewBox.baseVal;
  return [
    ((event.clientX - box.left) / box.width) * view.width,
    ((event.clientY - box.top) / box.height) * view.height,
  ];
}

// A line under the chart describes what the pointer is on.
function tellReading(svg, text) {
  const reading = svg.closest('figure')?.querySelector('.reading');
  if (reading) reading.textContent = text;
}
