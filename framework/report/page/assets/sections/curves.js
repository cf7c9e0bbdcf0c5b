// Curves that nodes report, as the charts that show them.

// The kinds of curves that are drawn over each other, and the title of such a chart.
const sharedCharts = new Map([
  ['roc', 'ROC curves'], ['test_margins', 'margins of the test rows'],
  ['precision_recall', 'precision and recall'], ['reliability', 'reliability']
]);
const isKind = (curve, kind) => curve.name === kind || curve.name.startsWith(kind + '_');
const isConvergence = (curve) => curve.name.startsWith('convergence_by_');
const allShares = (values) =>
    values.every((value) => !Number.isFinite(value) || (value >= 0 && value <= 1));
const areShares = (curve) => allShares(curve.x) && allShares(curve.y);

// Curves of error rates are drawn on normal-deviate axes (Martin et al., The DET curve in assessment
// of detection task performance, 1997).
const isDet = (curve) => isKind(curve, 'det') && areShares(curve);

function sharedChart(curve) {
  if (isDet(curve)) return 'DET curves';
  return [...sharedCharts].find(([kind]) => isKind(curve, kind))?.[1] ?? '';
}

// Points that cannot be drawn interrupt the line: the axis of a convergence is logarithmic.
function lineOf(curve, name) {
  const drawn = curve.x.map(
      (x, i) => Number.isFinite(x) && Number.isFinite(curve.y[i]) &&
          (curve.y[i] > 0 || !isConvergence(curve)));
  const known = (values) => values.map((value, i) => (drawn[i] ? value : null));
  return {name, x: known(curve.x), y: known(curve.y)};
}
const hasPoints = (curve) => lineOf(curve).x.some((x) => x !== null);

// In a legend, the class alone: without what the title says.
function nameAmong(curve, count) {
  const kind = [...sharedCharts.keys()].find(
      (each) => isKind(curve, each) && curve.name.length > each.length);
  return count > 1 && kind ? curve.name.slice(kind.length + 1) : wordsOf(curve.name);
}

// A curve named as another with "_tolerance" after it is a level line in the chart of that one.
const levelsFor = (curve, all) =>
    [...new Set(all.filter((other) => other.name === curve.name + '_tolerance')
                    .flatMap((other) => lineOf({...other, name: curve.name}).y)
                    .filter((level) => level !== null))];
const isLevel = (curve, all) => all.some((other) => curve.name === other.name + '_tolerance');

// Axes that curves of this name share: the diagonal of ROC curves is chance, of reliability truth.
function axesOf(curve) {
  const det = isDet(curve), margins = isKind(curve, 'test_margins');
  const share = (axis) => det || (curve[axis + '_unit'] === 'share' && allShares(curve[axis]));
  return {
    kind: 'lines',
    x: wordsOf(curve.x_label),
    y: wordsOf(curve.y_label),
    x_share: share('x'),
    y_share: share('y'),
    steps: margins,
    zero: margins,
    det,
    logarithmic: isConvergence(curve),
    diagonal: areShares(curve) && (isKind(curve, 'roc') || isKind(curve, 'reliability'))
  };
}

// "AUC = 0.953", the area under a node's ROC curves.
function areaText(node, curves) {
  const area = node.metrics.auc;
  if (!curves[0].name.startsWith('roc') || typeof area !== 'number') return '';
  return `${curves.length > 1 ? 'mean ' : ''}AUC = ${fixed(area, 3)}`;
}

function curvesChart(node, title, curves) {
  if (!curves.some(hasPoints))
    return make('figure', {}, make('h4', {}, title), note('It has no finite values.'));
  return chartFigure({name: `${node.name} ${title}`, title}, {
    ...axesOf(curves[0]),
    levels: curves.length > 1 ? [] : levelsFor(curves[0], node.curves),
    inside: areaText(node, curves),
    lines: curves.map((curve) => lineOf(curve, nameAmong(curve, curves.length)))
  });
}

// Curves of one kind share a chart, the others have one each.
function curveCharts(node) {
  const groups = new Map();
  for (const curve of node.curves) {
    if (isLevel(curve, node.curves)) continue;
    const shared = hasPoints(curve) && sharedChart(curve);
    const key = shared || curve.name;
    groups.set(key, [...(groups.get(key) ?? []), curve]);
  }
  const charts = [...groups].map(
      ([key, curves]) => curvesChart(node, curves.length > 1 ? key : wordsOf(curves[0].name), curves));
  return charts.length ? make('div', {class: 'charts'}, charts) : null;
}
