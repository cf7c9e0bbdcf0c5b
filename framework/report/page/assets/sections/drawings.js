// Drawings and maps of the plane that nodes report, as the charts that show them.

const mostBars = 200;
const mostHeatRows = 300;  // and columns; more are a table

const finiteOrNull = (stored) => (Number.isFinite(numberOf(stored)) ? stored : null);
const allDiffer = (names) => new Set(names).size === names.length;

function heatMapSpec(map) {
  const named = map.rows.length <= 40 && map.columns.length <= 24 && allDiffer(map.rows) &&
      allDiffer(map.columns);
  return {
    kind: named ? 'heat' : 'matrix',
    rows: map.rows,
    columns: map.columns,
    row_label: wordsOf(map.row_label),
    column_label: wordsOf(map.column_label),
    share: map.unit === 'share',
    values: map.rows.map((_, row) => rowOf(map, row).map(finiteOrNull))
  };
}

function barsSpec(bars) {
  return {
    kind: 'bars',
    metric: wordsOf(bars.value_label),
    share: bars.unit === 'share',
    rows: bars.labels.slice(0, mostBars).map((name, i) => ({
      name,
      mean: finiteOrNull(bars.values[i]),
      deviation: finiteOrNull(bars.errors[i] ?? NaN)
    }))
  };
}

// A picture that is longer than this has a scale of its own for each axis.
const longestSide = 4;

function planeSpec(map) {
  const [xLow, xHigh, yLow, yHigh] = map.range;
  const ratio = (yHigh - yLow) / (xHigh - xLow);
  const equal = ratio <= longestSide && ratio >= 1 / longestSide;
  const remarks = [];
  if (!equal) remarks.push('The axes have different scales.');
  if (map.points.length < map.all_points)
    remarks.push(`${countText(map.points.length)} of ${countText(map.all_points)} points are shown.`);
  return {
    kind: 'plane',
    x: wordsOf(map.x_label),
    y: wordsOf(map.y_label),
    marked: wordsOf(map.marked_label),
    remark: remarks.join(' '),
    equal,
    groups: map.groups,
    range: map.range,
    columns: map.columns ?? 0,
    rows: map.rows ?? 0,
    regions: map.regions ?? [],
    points: map.points.map(([x, y, group, marked]) => [x, y, group, Number(marked)]),
    circles: map.circles ?? [],
    circle_labels: map.circle_labels ?? []
  };
}

// The ends of the axes leave room around the points, even if all are at one place; the same room
// where both axes have one scale.
function scatterSpec(scatter) {
  const ends = [0, 1].map((axis) => {
    const values = scatter.points.map((point) => point[axis]);
    return values.length ? d3.extent(values) : [0, 0];
  });
  const spans = ends.map(([low, high]) => high - low);
  const longest = Math.max(...spans), alike = longest <= longestSide * Math.min(...spans);
  const range = ends.flatMap(([low, high], axis) => {
    const span = alike || spans[axis] <= 0 ? longest : spans[axis];
    const around = span > 0 ? 0.05 * span : 1;
    return [low - around, high + around];
  });
  return planeSpec({...scatter, range});
}

function planeChart(node, map, spec = planeSpec(map)) {
  const title = wordsOf(map.name), [xLow, xHigh, yLow, yHigh] = spec.range;
  if (!(xHigh - xLow > 0 && yHigh - yLow > 0) || !spec.range.every(Number.isFinite))
    return make('figure', {}, make('h4', {}, title),
                note('Its axes are not finite, so it cannot be drawn.'));
  return chartFigure({name: `${node.name} ${title}`, title, caption: map.caption}, spec);
}

function ownPicture(node, picture) {
  const title = wordsOf(picture.name);
  return make(
      'figure', {class: 'chart own'}, make('h4', {}, title),
      make('div', {class: 'picture'}, make('img', {
             class: 'own',
             alt: `${node.name} ${title}`,
             src: `data:image/png;base64,${picture.png}`
           })),
      picture.caption && make('figcaption', {}, picture.caption));
}

function drawingChart(node, drawing) {
  if (drawing.kind === 'png') return ownPicture(node, drawing);
  if (drawing.kind === 'scatter') return planeChart(node, drawing, scatterSpec(drawing));
  const title = wordsOf(drawing.name), name = `${node.name} ${title}`;
  if (drawing.kind === 'heat_map')
    return chartFigure({name, title, caption: drawing.caption}, heatMapSpec(drawing));
  const more = drawing.labels.length > mostBars ?
      `The first ${mostBars} of ${countText(drawing.labels.length)} bars are shown; metrics.json ` +
          'has all of them.' : '';
  return chartFigure(
      {name, title, caption: [drawing.caption, more].filter(Boolean).join(' ')}, barsSpec(drawing));
}

// Several maps, say one per iteration, are small multiples.
const planeCharts = (node) => node.plane_maps.length > 0 && make(
    'div', {class: node.plane_maps.length > 2 ? 'charts many' : 'charts'},
    node.plane_maps.map((map) => planeChart(node, map)));

// Drawings side by side; a heat map that is too large for a chart, or empty, is a table.
function drawingCharts(node) {
  const isTable = (drawing) => drawing.kind === 'heat_map' &&
      (Math.max(drawing.rows.length, drawing.columns.length) > mostHeatRows || !drawing.values.length);
  const drawn = node.drawings.filter((drawing) => !isTable(drawing));
  return [
    drawn.length > 0 && make('div', {class: 'charts'}, drawn.map((one) => drawingChart(node, one))),
    node.drawings.filter(isTable).map(
        (map) => [make('h4', {}, wordsOf(map.name)),
                  numberTable({...map, units: map.columns.map(() => map.unit)})])
  ];
}
