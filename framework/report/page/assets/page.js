// Makes the page from its data, draws every chart at its width, and again when the width changes.

const painters = {
  lines: drawLines,
  heat: drawHeat,
  confusion: drawConfusion,
  matrix: drawMatrix,
  dots: drawDots,
  bars: drawBars,
  plane: drawPlane,
  ranks: drawRanks,
  parallel: drawParallel
};

class ChartFigure {
  constructor(figure, spec) {
    this.figure = figure;
    this.box = figure.querySelector('.picture');
    this.spec = {...spec, label: figure.dataset.title};
    this.width = 0;
    // A chart that the page shows as a table is drawn only for its download.
    offerDownload(figure, () => this.box ? this.box.querySelector('svg') : this.drawing(600));
  }

  drawing(width) {
    const drawn = this.spec.lines?.length === 0 ? note('Choose what to draw.') :
                                                  painters[this.spec.kind](this.spec, width);
    if (drawn.tagName === 'svg') drawn.classList.add('drawing', this.spec.kind);
    return drawn;
  }

  show(spec) {
    this.spec = {...spec, label: this.spec.label};
    this.width = 0;
    this.draw();
  }

  draw() {
    if (!this.box) return;
    const width = Math.floor(this.box.clientWidth);
    if (width < 50 || width === this.width) return;
    this.width = width;
    const drawn = this.drawing(width);
    this.box.replaceChildren(drawn);
    this.figure.querySelector('.download').hidden = drawn.tagName !== 'svg';
    this.figure.querySelector('.remark').textContent = this.spec.remark ?? '';
  }
}

function prepareCharts(study) {
  const charts = [], curves = [];
  const chosen = study && prepareChooser(study, () => {
                   for (const [chart, spec] of curves) chart.show(chosenLines(spec, study, chosen));
                 });
  for (const [figure, given] of drawnFigures) {
    const kind = figure.dataset.chart;
    let chart = null;
    const spec = kind === 'study-heat' ? heatControls(figure, study, (other) => chart.show(other)) : given;
    const chosenAmong = kind === 'study-curves';
    chart = new ChartFigure(figure, chosenAmong ? chosenLines(spec, study, chosen) : spec);
    if (chosenAmong) curves.push([chart, spec]);
    charts.push(chart);
  }
  const byBox = new Map(charts.map((chart) => [chart.box, chart]));
  // In the next frame, since drawing may change the observed size.
  const watcher = new ResizeObserver((entries) => requestAnimationFrame(() => {
    for (const entry of entries) byBox.get(entry.target).draw();
  }));
  for (const chart of charts) {
    chart.draw();
    if (chart.box) watcher.observe(chart.box);
  }
  return charts;
}

const variantLinks = () => make(
    'p', {class: 'links'}, make('a', {href: '../../report.html'}, 'The study'), ' ',
    make('a', {href: 'metrics.json'}, 'All figures (JSON)'), ' ',
    make('a', {href: 'pipeline.yaml'}, 'Its pipeline (YAML)'));

// The result first, then the warnings, then all else.
function sectionsOf(page) {
  const {kind, study, steps, selection} = page;
  if (kind === 'variant')
    return [variantLinks(), headlineOf(page), selectionSection(selection), resultsOf(page)];
  const warnings = warningsOf(page.warnings);
  if (steps) return [steps.map(stepSection), warnings, graphOf(page), provenanceOf(page)];
  const last = [graphOf(page), timingOf(page), provenanceOf(page)];
  if (!study) return [headlineOf(page), warnings, selectionSection(selection), resultsOf(page), last];
  return [
    studyHeadline(study), failuresSection(study), warnings, studyTable(study), effectsSection(study),
    chartsSection(study), curvesSection(study), last
  ];
}

function showPage() {
  const page = JSON.parse(document.querySelector('#data').textContent);
  document.title = `${page.pipeline} · Semblance`;
  const sections = sectionsOf(page).flat(Infinity).filter(Boolean);
  const contents = page.kind === 'variant' ? null : contentsOf(sections);
  document.querySelector('main').replaceChildren(
      ...[titleOf(page), contents, ...sections].filter(Boolean));
  prepareTables();
  prepareGraphs();
  return prepareCharts(page.study);
}

const charts = showPage();

// Details cannot be opened on paper.
addEventListener('beforeprint', () => {
  for (const closed of document.querySelectorAll('details')) closed.open = true;
  for (const chart of charts) chart.draw();
});
