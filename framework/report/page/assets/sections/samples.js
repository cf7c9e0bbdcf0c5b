// Samples as small drawings: series as lines, sets as dots, graphs, pictures, texts, lists of values.

const sketch = {width: 160, height: 64, margin: 3};
const coloursOfSamples = 7;
const coordinate = (value) => Number(value.toPrecision(4));

// Where a share in [0, 1] of the width, or of the height, is.
const acrossSketch = (share) => sketch.margin + share * (sketch.width - 2 * sketch.margin);
const downSketch = (share) =>
    sketch.height - sketch.margin - share * (sketch.height - 2 * sketch.margin);

// Values to their shares of the range; the centre where all are equal.
function shareOfRange(values) {
  const low = Math.min(...values), high = Math.max(...values);
  return (value) => (high > low ? (value - low) / (high - low) : 0.5);
}

const everyNth = (values, first, step) => values.filter((_, i) => i % step === first);

// One line per channel, all on one scale.
function seriesLines({values, depth}) {
  const share = shareOfRange(values), steps = values.length / depth;
  const across = (t) => acrossSketch(steps > 1 ? t / (steps - 1) : 0.5);
  return Array.from({length: depth}, (_, channel) => make('polyline', {
    class: `line s${channel % coloursOfSamples}`,
    points: everyNth(values, channel, depth)
                .map((value, t) => `${coordinate(across(t))},${coordinate(downSketch(share(value)))}`)
                .join(' ')
  }));
}

// The first two coordinates of the points.
function pointDots({values, depth}) {
  const xs = everyNth(values, 0, depth), ys = everyNth(values, depth > 1 ? 1 : 0, depth);
  const x = shareOfRange(xs), y = depth > 1 ? shareOfRange(ys) : () => 0.5;
  return xs.map((value, i) => make('circle', {
    class: 'dot s0', cx: coordinate(acrossSketch(x(value))), cy: coordinate(downSketch(y(ys[i]))), r: 2
  }));
}

// Nodes as dots whose colour tells their label, over lines for edges. The text has a line of edges,
// "0-1 1-2", then a line per node; the values are x, y and label of each node.
function graphDots({values, text}) {
  const [edges, ...labels] = text.split('\n');
  const side = sketch.height - 2 * sketch.margin, offset = (sketch.width - sketch.height) / 2;
  const places = everyNth(values, 0, 3).map((x, v) => [
    coordinate(offset + sketch.margin + x * side), coordinate(sketch.margin + values[3 * v + 1] * side)
  ]);
  const ends = edges.split(' ').map((edge) => edge.split('-').map(Number));
  const lines = ends.filter(([from, to]) => places[from] && places[to]);
  return [
    lines.map(([from, to]) => make('line', {
      x1: places[from][0], y1: places[from][1], x2: places[to][0], y2: places[to][1],
      stroke: 'currentColor'
    })),
    places.map(([cx, cy], v) => make(
        'circle', {class: `dot s${Math.max(0, Math.trunc(values[3 * v + 2])) % coloursOfSamples}`, cx, cy, r: 2.5},
        labels[v] && make('title', {}, labels[v])))
  ];
}

const isPicture = ({layout}) => layout === 'image' || layout === 'grid';
const more = (sample) => (sample.size > [...sample.text].length ? ' …' : '');

function samplePicture(sample) {
  const {name, layout, values, text, columns} = sample;
  if (isPicture(sample))
    return make('img', {class: 'pixels', alt: name, src: `data:image/png;base64,${text}`});
  if (columns || layout === 'sparse')
    return [
      make('dl', {class: 'listed'}, values.map((value, k) => make(
          'div', {}, make('dt', {}, columns?.[k]), make('dd', {}, quantityText(value))))),
      sample.size > values.length && note(`and ${sample.size - values.length} more values`)
    ];
  if (layout === 'string') return make('code', {}, text, more(sample));
  if (layout === 'pair') return make('code', {}, text);
  const marks = {set: pointDots, graph: graphDots}[layout] ?? seriesLines;
  const frame = `0 0 ${sketch.width} ${sketch.height}`;
  return make('svg', {class: 'drawing', viewBox: frame, role: 'img', 'aria-label': name}, marks(sample));
}

const isRight = (sample) => sample.label === sample.predicted;
const strong = (text) => make('strong', {}, text);
const sampleFigure = (sample, style, ...words) =>
    make('figure', {class: style}, samplePicture(sample), make('figcaption', {}, words));

// Some test samples, those of one class side by side.
function sampleDrawings(samples) {
  const classes = [];
  for (const sample of samples) {
    if (classes[classes.length - 1]?.[0].label !== sample.label) classes.push([]);
    classes[classes.length - 1].push(sample);
  }
  const drawing = (sample) => sampleFigure(
      sample, isRight(sample) ? 'sample-right' : 'sample-wrong', sample.name, ': ',
      isRight(sample) ? 'right' : ['taken for ', strong(sample.predicted)]);
  return classes.length > 0 && [
    make('h4', {}, 'some test samples of each class'),
    classes.map((group) => make('div', {class: 'samples'}, make('h5', {}, group[0].label),
                                group.map(drawing)))
  ];
}

// The training samples that a sample is most similar to, separately for each map.
function nearestSamples(nearest) {
  const drawn = nearest.map(({sample, map, similarity}, i) => [
    map !== nearest[i - 1]?.map && make('h5', {}, `most similar bases of ${map}`),
    sampleFigure(sample, null, `${sample.name}: ${sample.label}, ${quantityText(numberOf(similarity))}`)
  ]);
  return drawn.length > 0 && make('div', {class: 'nearest'}, drawn);
}

// Samples, one below the other, each with its scores and next to the training samples that it is
// compared with.
function sampleList({name, entries}) {
  if (!entries.length) return null;
  const scores = (all) => all.length > 0 &&
      [make('br'), 'scores: ' + all.map(({label, score}) => `${label} ${quantityText(numberOf(score))}`).join(', ')];
  return [
    make('h4', {}, wordsOf(name)),
    make('div', {class: 'sample-list'}, entries.map(({sample, scores: all, nearest}) => make(
        'article', {}, sampleFigure(sample, null, `${sample.name}: ${sample.label} taken for `,
                                    strong(sample.predicted), scores(all)),
        nearestSamples(nearest))))
  ];
}
