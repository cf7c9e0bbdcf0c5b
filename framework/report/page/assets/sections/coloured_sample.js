// A sample whose parts have the colour of their shares: a series as a line, a string by its letters,
// an image or a grid under a heat map.

const sideOf = ({share}) => (share >= 0 ? 'for' : 'against');
const shareTitle = (part) => `${part.name}: ${signedText(part.share)}`;
const largestShare = (shares) =>
    shares.reduce((most, part) => Math.max(most, Math.abs(part.share)), 0) || 1;
const depthOf = (part, most) => `--a:${Number((Math.abs(part.share) / most).toPrecision(3))}`;

function colouredLetters(sample, shares) {
  const symbols = [...sample.text], most = largestShare(shares);
  const parts = shares.filter((part) => part.first < symbols.length).map((part) => make(
      'span', {class: sideOf(part), style: depthOf(part, most), title: shareTitle(part)},
      symbols.slice(part.first, part.first + part.count).join('')));
  return make('code', {class: 'coloured'}, parts, more(sample));
}

// Of the series' steps, evenly spaced ones are drawn.
function colouredLine({name, size, depth, values}, shares) {
  const width = 480, height = 120, margin = 6, drawn = values.length / depth;
  const low = Math.min(...values), high = Math.max(...values), range = high > low ? high - low : 1;
  const step = (s) => (drawn > 1 ? Math.floor(s * (size - 1) / (drawn - 1)) : 0);
  const across = (t) => margin + t / (Math.max(size, 2) - 1) * (width - 2 * margin);
  // Midway between a step and the one before it.
  const edge = (t) => (t === 0 ? 0 : t >= size ? width : across(t - 0.5));
  const line = (channel, first, last, style) => {
    const points = [];
    for (let s = first; s <= last; ++s) {
      const up = (values[s * depth + channel] - low) / range * (height - 2 * margin);
      points.push(`${coordinate(across(step(s)))},${coordinate(height - margin - up)}`);
    }
    return make('polyline', {class: style, points: points.join(' ')});
  };
  const lines = (first, last, style) =>
      Array.from({length: depth}, (_, channel) => line(channel, first, last, style));
  const most = largestShare(shares);
  const parts = shares.map((part) => {
    const from = edge(part.first), to = edge(part.first + part.count);
    // One more step on the right, so that lines meet.
    let first = 0;
    while (first + 1 < drawn && step(first) < part.first) ++first;
    let last = first;
    while (last + 1 < drawn && step(last) < part.first + part.count) ++last;
    return make(
        'g', {class: sideOf(part), style: depthOf(part, most)}, make('title', {}, shareTitle(part)),
        make('rect', {x: coordinate(from), y: 0, width: coordinate(to - from), height}),
        first < last && lines(first, last, 'share'));
  });
  return make(
      'svg',
      {class: 'drawing coloured', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': name},
      parts, lines(0, drawn - 1, 'through'));
}

// Where each cell of a grid of parts ends: at the beginning of the next one.
const endOf = (begins, length) => (begin) =>
    Math.min(length, ...begins.filter((other) => other > begin));

// A pixel of the reduced picture stands for a square of `pixel` per side.
function heatedPicture({name, text}, {height, width, pixel}, shares) {
  const place = ({first}) => ({x: first % width, y: Math.floor(first / width)});
  const places = shares.map(place);
  const right = endOf([...new Set(places.map(({x}) => x))], width);
  const below = endOf([...new Set(places.map(({y}) => y))], height);
  const whole = (length) => Math.ceil(length / pixel) * pixel;
  const most = largestShare(shares);
  return make(
      'svg', {
        class: 'drawing coloured heated', viewBox: `0 0 ${width} ${height}`, role: 'img',
        'aria-label': name
      },
      make('image', {
        class: 'cells', width: whole(width), height: whole(height), preserveAspectRatio: 'none',
        href: `data:image/png;base64,${text}`
      }),
      shares.map((part, i) => {
        const {x, y} = places[i];
        const box = {x, y, width: right(x) - x, height: below(y) - y};
        return make('rect', {class: sideOf(part), style: depthOf(part, most), ...box},
                    make('title', {}, shareTitle(part)));
      }));
}

function colouredSample(sample, size, shares) {
  if (!shares.length) return null;
  if (sample.layout === 'string') return colouredLetters(sample, shares);
  if (sample.layout === 'sequence' && sample.values.length) return colouredLine(sample, shares);
  return isPicture(sample) && size.width > 0 ? heatedPicture(sample, size, shares) : null;
}
