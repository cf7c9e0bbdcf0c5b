// Draws every chart at its width, and again when the width changes.

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

function dataOf(element) {
  const data = element?.querySelector(':scope > script[type=\'application/json\']');
  return data ? JSON.parse(data.textContent) : null;
}

class ChartFigure {
  constructor(figure, spec) {
    this.figure = figure;
    this.box = figure.querySelector('.picture');
    this.spec = {...spec, label: figure.dataset.title};
    this.width = 0;
    // A chart that the page shows as a table is drawn only for its download.
    this.hidden = figure.dataset.chart === 'confusion' && figure.querySelector('table') !== null;
    offerDownload(figure, () => this.hidden ? this.drawing(600) : this.box.querySelector('svg'));
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
    if (this.hidden) return;
    const width = Math.floor(this.box.clientWidth);
    if (width < 50 || width === this.width) return;
    this.width = width;
    const drawn = this.drawing(width);
    this.box.replaceChildren(drawn);
    this.figure.querySelector('.download').hidden = drawn.tagName !== 'svg';
    const remark = this.figure.querySelector('.remark');
    if (remark) remark.textContent = this.spec.remark ?? '';
  }
}

function firstSpec(figure, study, chart) {
  const kind = figure.dataset.chart;
  if (kind === 'study-dots') return dotsOf(study);
  if (kind === 'study-differences') return differencesOf(study);
  if (kind === 'study-ranks') return ranksOf(study);
  if (kind === 'study-parallel') return parallelOf(study);
  if (kind === 'study-slot') {
    const {slot, numbers} = dataOf(figure);
    return slotLinesOf(study, slot, numbers);
  }
  if (kind === 'study-heat') return heatControls(figure, study, (spec) => chart().show(spec));
  return dataOf(figure);
}

function prepareCharts() {
  const study = dataOf(document.querySelector('#study'));
  const charts = [], curves = [];
  const chosen = study && prepareChooser(study, () => {
                   for (const [chart, spec] of curves) chart.show(chosenLines(spec, study, chosen));
                 });
  for (const figure of document.querySelectorAll('figure[data-chart]')) {
    let chart = null;
    let spec = firstSpec(figure, study, () => chart);
    const chosenAmong = figure.dataset.chart === 'study-curves';
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

prepareTables();
prepareGraphs();
const charts = prepareCharts();

// Details cannot be opened on paper.
addEventListener('beforeprint', () => {
  for (const closed of document.querySelectorAll('details')) closed.open = true;
  for (const chart of charts) chart.draw();
});
