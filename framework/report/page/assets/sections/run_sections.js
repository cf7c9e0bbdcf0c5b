// The sections of a run's page, and what pages of studies share with it.

const mostOpenKinds = 3;

const isEvaluator = (node) => node.component.startsWith('evaluator/');

function titleOf(page) {
  const facts = [
    page.started && dateText(page.started), `seed ${page.seed}`,
    page.threads > 0 && plural(page.threads, 'thread'),
    page.wall_seconds > 0 && secondsText(page.wall_seconds),
    page.peak_memory_bytes > 0 && `${bytesText(page.peak_memory_bytes)} of memory`
  ];
  return make(
      'header', {}, make('p', {class: 'kind'}, `Semblance ${page.kind}`), make('h1', {}, page.pipeline),
      page.description && make('p', {class: 'lead'}, page.description),
      make('p', {class: 'facts'}, facts.filter(Boolean).map((fact) => [make('span', {}, fact), ' '])));
}

// Links to the sections that have an id and a heading, in their order.
function contentsOf(sections) {
  const headed = sections.filter(({id, firstElementChild}) => id && firstElementChild?.tagName === 'H2');
  if (headed.length < 2) return null;
  const links = headed.map(({id, firstElementChild}) => [make('a', {href: `#${id}`}, firstElementChild.textContent), ' ']);
  return make('nav', {class: 'contents', 'aria-label': 'On this page'}, links);
}

// One line per kind of warnings, closed beyond a few.
function warningsOf(kinds) {
  if (!kinds.length) return null;
  const all = kinds.reduce((sum, {count}) => sum + count, 0), more = kinds.length - mostOpenKinds;
  const item = (kind) => make('li', {}, kind.count > 1 ? likeIt(kind) : kind.texts);
  return make(
      'section', {id: 'warnings', class: 'warnings', role: 'note'},
      make('h2', {}, kinds.length < all ? `${all} warnings of ${plural(kinds.length, 'kind')}` : 'Warnings'),
      make('ul', {}, kinds.slice(0, mostOpenKinds).map(item)),
      more > 0 && folded(plural(more, 'more kind'), make('ul', {}, kinds.slice(mostOpenKinds).map(item))));
}

function likeIt({count, texts: [first, ...others]}) {
  const left = count - 1 - others.length;
  return folded([first, ' ', make('span', {class: 'count'}, `and ${count - 1} more like it`)],
                make('ul', {}, others.map((warning) => make('li', {}, warning))),
                left > 0 && make('p', {}, `run.log has the other ${left}.`));
}

// A figure in large type, with words below it.
const largeFigure = (words, value, unit) => make(
    'div', {class: 'figure'}, make('dt', {}, words),
    make('dd', {}, value, unit && make('span', {class: 'unit'}, unit)));

function headlineFigure(name, unit, value, interval) {
  const text = figureText(unit, numberOf(value)), percent = text.endsWith('%');
  const range = interval && [' ', make('span', {
    class: 'interval',
    title: '95 % confidence interval (Wilson), for ' +
        (interval.groups ? `${countText(interval.groups)} independent groups of test rows` :
                           `${countText(interval.rows)} independent test rows`)
  }, `${fixed(100 * interval.low, 1)}–${percentOf(interval.high, 1)}`)];
  return largeFigure([figureWords(name, unit), range], percent ? text.slice(0, -1) : text, percent && '%');
}

const evaluatorFigures = (heading, figures) =>
    make('div', {class: 'evaluator'}, make('h2', {}, heading), make('dl', {}, figures));

// The figures of every evaluator in large type; the cross-validated ones where there are none.
function headlineOf({nodes, selection}) {
  const shown = nodes.filter((node) => isEvaluator(node) && !node.explanations.length && node.headline.length);
  const parts = shown.map((node) => evaluatorFigures(
      node.name, node.headline.map((name) => headlineFigure(
          name, node.units[name], node.metrics[name], node.intervals[name]))));
  if (!parts.length && selection) parts.push(crossValidated(selection));
  return parts.length > 0 && make('section', {class: 'headline'}, parts);
}

function crossValidated(choice) {
  const best = choice.trials[choice.chosen], dot = choice.metric.indexOf('.');
  return evaluatorFigures(
      `${choice.metric.slice(0, dot)}, ${choice.leave_one_out ? 'leave-one-out' : 'cross-validated'}`, [
        headlineFigure(choice.metric.slice(dot + 1), choice.unit, trialFigure(best)),
        !choice.leave_one_out && [
          headlineFigure('standard_deviation', choice.unit, best.deviation),
          headlineFigure('folds', 'count', choice.folds)
        ]
      ]);
}

// All figures of a node but those in the headline.
function metricList(node) {
  const shown = isEvaluator(node) ? node.headline : [];
  const items = Object.entries(node.metrics).filter(([name]) => !shown.includes(name)).map(
      ([name, value]) => make('div', {}, make('dt', {}, figureWords(name, node.units[name])),
                              make('dd', {}, figureText(node.units[name], numberOf(value)))));
  return items.length > 0 && make('dl', {class: 'metrics'}, items);
}

const tablesOf = (node) => node.tables.map((table) => [
  make('h4', {}, wordsOf(table.name)),
  isConfusion(table) ? confusionSection(table, node.name) : numberTable(table)
]);

function nodeResults(node) {
  const content = [
    metricList(node), planeCharts(node), drawingCharts(node), tablesOf(node), curveCharts(node),
    sampleDrawings(node.samples), node.sample_lists.map(sampleList), node.explanations.map(explainedSamples)
  ].flat(Infinity).filter(Boolean);
  return content.length > 0 && make(
      'section', {class: 'node'}, make('h3', {}, node.name, ' ', make('code', {}, node.component)),
      make('p', {class: 'summary'}, node.summary), content);
}

// The reports of the nodes, evaluators first.
function resultsOf({nodes}) {
  const of = (wanted) => nodes.filter((node) => isEvaluator(node) === wanted).map(nodeResults).filter(Boolean);
  const [evaluation, training] = [of(true), of(false)];
  return [
    evaluation.length > 0 && section('evaluation', 'Evaluation', evaluation),
    training.length > 0 && section('training', 'Training', training)
  ];
}

function graphOf({graph, pipeline}) {
  if (!graph) return null;
  const svg = document.importNode(
      new DOMParser().parseFromString(graph, 'text/html').querySelector('svg'), true);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', `the graph of ${pipeline}`);
  return section('pipeline', 'Pipeline', make(
      'figure', {class: 'graph', 'data-title': 'pipeline'}, make('div', {class: 'picture'}, svg)));
}

function checksums(title, what, items) {
  const rows = items.map(([name, sum]) => make(
      'tr', {}, make('th', {scope: 'row'}, name), make('td', {}, make('code', {}, sum))));
  const heads = [what, 'Checksum'].map((name) => make('th', {scope: 'col'}, name));
  return items.length > 0 && [
    make('h3', {}, title),
    make('div', {class: 'scroll'}, make('table', {class: 'files'}, make('thead', {}, make('tr', {}, heads)),
                                        make('tbody', {}, rows)))
  ];
}

function provenanceOf(page) {
  const budget = page.memory_budget > 0 ? ` of a budget of ${bytesText(page.memory_budget)}` : '';
  const facts = [
    ['Seed', page.seed], ['Semblance', page.version], ['Threads', page.threads],
    ['Memory', `${bytesText(page.peak_memory_bytes)} at the peak${budget}`],
    ['Wall time', secondsText(page.wall_seconds)], ['Started', page.started]
  ];
  const made = section(
      'reproduce', 'Reproduce this run', page.command && make('pre', {class: 'command'}, page.command),
      make('dl', {}, facts.map(([name, fact]) => [make('dt', {}, name), make('dd', {}, fact)])),
      checksums('Data files', 'File', page.files), checksums('Plugins', 'Name and version', page.plugins),
      page.resolved_pipeline &&
          folded('The pipeline with all parameters', make('pre', {}, page.resolved_pipeline)));
  made.className = 'provenance';
  return made;
}
