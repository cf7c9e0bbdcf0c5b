// The sections of a study's page: what failed, the best combination, the table of results, what each
// slot changes, and where the charts stand.

const mostOpenFailures = 6;
const significance = 0.05;

// Errors of variants, followed by those of measurements whose variant reports none.
function failuresOf({variants, methods, blocks}) {
  const reported = variants.filter(({error}) => error);
  const rows = reported.map(({name, error}) => [name, error]);
  methods.forEach(({name, errors}, i) => errors.forEach(([block, error]) => {
    if (!reported.some((variant) => variant.method === i && variant.repeat === block))
      rows.push([blocks.length > 1 ? `${name}, ${blocks[block]}` : name, error]);
  }));
  return rows;
}

function failuresSection(study) {
  const rows = failuresOf(study), count = study.variants.length;
  const stopped = study.variants.filter(({finished, error}) => !finished && !error).length;
  if (!rows.length && !stopped) return null;
  const list = make('ul', {}, rows.map(
      ([name, error]) => make('li', {}, make('span', {class: 'name'}, name), ' ', error)));
  const heading = count > 0 ? `${countText(rows.length)} of ${plural(count, 'variant')} failed` :
                              `${plural(rows.length, 'measurement')} failed`;
  return make(
      'section', {id: 'failures', class: 'warnings failures', role: 'note'},
      rows.length > 0 &&
          [make('h2', {}, heading), rows.length > mostOpenFailures ? folded('Their errors', list) : list],
      stopped > 0 && make('p', {}, `${plural(stopped, 'variant')} ${stopped === 1 ? 'is' : 'are'} not ` +
                                       'finished; the same command continues with them.'));
}

const columnOf = (layout, key) => layout.columns.find((column) => column.key === key);
const withMinus = (text) => text.replace(/^-(?=[0-9])/, '−').replace(' to -', ' to −');

// ", p = 0.012 (t-test)", for the first test that was possible.
function firstTest({table, t_test}, best) {
  for (const {heading, holds, cells} of table.columns)
    if (holds === 'p' && cells[best][1] !== null) {
      const text = cells[best][0], name = heading.replace(/^p /, '');
      return `, p ${text.startsWith('<') ? text.replace('<', '< ') : `= ${text}`} (${name === 't' ? t_test : name})`;
    }
  return '';
}

function bestFigures(study, best) {
  const {methods, baseline, table} = study;
  const unit = study.unit && (study.share ? study.unit : ` ${study.unit}`);
  const texts = columnOf(table, 'mean').cells;
  const [mean, deviation] = texts[best][0].split(' ± ');
  const words = deviation ? `± ${deviation}${unit}, mean of ${methods[best].n}` : study.metric;
  const figures = [largeFigure(words, mean, unit)];
  if (baseline === null) return figures;
  if (baseline === best) return [figures, largeFigure('this is the baseline', '')];
  if (methods[baseline].mean !== null)
    figures.push(largeFigure(`baseline: ${methods[baseline].name}`, texts[baseline][0].split(' ± ')[0], unit));
  if (methods[best].difference !== null)
    figures.push(largeFigure(`against the baseline${firstTest(study, best)}`,
                             withMinus(columnOf(table, 'difference').cells[best][0]),
                             study.share ? ' points' : unit));
  return figures;
}

function sizeWords(study) {
  const {methods, variants, repeats, blocks, over, nodes_before, nodes_after} = study;
  const shown = over ? blocks.length : 1, each = Math.floor(repeats.length / shown);
  const finished = variants.filter((variant) => variant.finished).length;
  return plural(methods.length, 'combination') + (shown > 1 ? ` on each of ${study.blocks_text}` : '') +
      (each > 1 ? `, ${plural(each, 'repeat')} of each` : '') +
      (variants.length ? `. ${countText(finished)} of ${plural(variants.length, 'variant')} finished` : '') +
      (nodes_before ? `. Sharing equal work left ${countText(nodes_after)} of ${plural(nodes_before, 'node')}` : '') +
      '.';
}

// The best combination against the baseline, and the size of the study.
function studyHeadline(study) {
  const best = study.methods.findIndex((method) => method.best);
  const where = study.metric + (study.node ? ` of ${study.node}` : '');
  const chosen = best < 0 ? [] : study.slots.map(({name}, i) => [name, study.methods[best].texts[i]])
                                     .filter(([, text]) => text);
  const result = best < 0 ? make('h2', {}, `No combination has a value of ${where}`) : [
    make('h2', {}, `${study.higher_is_better ? 'Highest' : 'Lowest'} ${where}: ${study.methods[best].name}`),
    make('dl', {}, bestFigures(study, best)),
    chosen.length > 0 && make('dl', {class: 'metrics chosen'}, chosen.map(
        ([name, text]) => make('div', {}, make('dt', {}, name), make('dd', {}, text))))
  ];
  return make('section', {class: 'headline'},
              make('div', {class: 'evaluator'}, result, note(sizeWords(study))));
}

function columnHead({heading, holds, higher_is_better: higher}) {
  if (holds === 'text') return make('th', {scope: 'col', class: 'text'}, heading);
  const first = holds === 'metric' && higher ? 'descending' : 'ascending';
  return make('th', {scope: 'col', 'data-first': first}, heading);
}

// A cell is [text, value, whether it is the best, a hint]; what it holds decides how it is shown.
function resultCell([text, value, best, hint], holds) {
  const given = {'data-v': value ?? ''};
  if (holds === 'text') return make('td', {class: 'text'}, text);
  if (holds === 'p')
    return make('td', {class: value !== null && value < significance ? 'significant' : 'p', title: hint, ...given},
                text || '–');
  if (holds !== 'metric') return make('td', given, withMinus(text) || '–');
  const [mean, spread] = text.split(' ± ');
  return make('td', {class: best ? 'mean best' : 'mean', ...given}, withMinus(mean),
              spread && [' ', make('span', {class: 'spread'}, `± ${spread}`)]);
}

function tableNotes({columns, notes}) {
  const bold = columns.some(({holds, cells}) => holds === 'p' && cells.some(([, p]) => p !== null && p < significance));
  return note([...notes, bold && `Bold p-values are below ${significance}.`].filter(Boolean).join(' '));
}

// `rows` are indices of the methods, in order; `head` makes the first cell of one, `last` what follows.
function resultTable(layout, {rows, style, head, last = null, rowStyle = () => null}) {
  const [, ...columns] = layout.columns;
  const body = rows.map((i) => make(
      'tr', {class: rowStyle(i)}, head(i, layout.columns[0].cells[i][0]),
      columns.map(({cells, holds}) => resultCell(cells[i], holds)), last && last(i)));
  const heads = [layout.columns.map(columnHead),
                 last && make('th', {scope: 'col', 'aria-label': 'pages of the variants'})];
  return [
    make('div', {class: 'scroll'}, make('table', {class: style}, make('thead', {}, make('tr', {}, heads)),
                                        make('tbody', {}, body))),
    tableNotes(layout)
  ];
}

function variantLink({repeats}, {name, repeat, finished, error}) {
  const text = repeats.length > 1 ? String(repeat + 1) : 'variant';
  return finished ? make('a', {href: `variants/${encodeURIComponent(name)}/report.html`, title: name}, text) :
                    make('span', {class: 'off', title: error || 'not finished'}, text);
}

// One row per combination: choices, mean, ranks, tests against the baseline, links to the variants.
function studyTable(study) {
  const {methods, variants, table, baseline} = study;
  if (!methods.length) return null;
  const marks = ({best, n, errors}, i) => [
    best && pill('best'), i === baseline && pill('baseline', 'pill quiet'),
    n === 0 && pill('failed', 'pill bad', errors[0]?.[1] ?? '')
  ];
  const own = methods.map((_, i) => variants.filter(({method}) => method === i));
  return section('results', 'Results', resultTable(table, {
    rows: methods.map((_, i) => i).sort((a, b) => methods[a].place - methods[b].place),
    style: 'results sortable',
    rowStyle: (i) => i === baseline && 'baseline',
    head: (i, text) => make('th', {scope: 'row', 'data-v': text}, text, marks(methods[i], i)),
    last: variants.length > 0 && ((i) => make(
        'td', {class: 'links'}, own[i].map((variant) => [variantLink(study, variant), ' '])))
  }));
}

// What the choice in each slot changes, paired over all else: the difference, or the mean where there
// is no baseline.
function effectsSection({effects, baseline, metric, share}) {
  if (!effects.columns.length) return null;
  const cells = (key) => columnOf(effects, key).cells, against = baseline !== null;
  const points = against && share, unit = points ? 100 : 1;
  const shown = effects.columns[0].cells.map((slot, i) => {
    const [mean, difference, low] = ['mean', 'difference', 'difference_low'].map((key) => cells(key)[i][1]);
    const value = against ? difference : mean;
    return {
      name: `${slot[0]} = ${cells('choice')[i][0]}`,
      mean: value === null ? null : unit * value,
      deviation: against && low !== null ? unit * (difference - low) : null,
      n: 1,
      best: cells('mean')[i][2],
      missing: against && difference === null
    };
  }).filter((row) => !row.missing);
  const visible = {...effects, columns: effects.columns.filter(({heading}) => heading)};
  return section(
      'effects', 'What each slot changes',
      resultTable(visible, {
        rows: visible.columns[0].cells.map((_, i) => i),
        style: 'results',
        head: (i, text) => make('th', {scope: 'row'}, text)
      }),
      shown.length > 0 && make('div', {class: 'tall'}, chartFigure({
        name: 'effects of the slots',
        caption: against ? "Against the baseline's choice; bars are 95 % confidence intervals, each by itself." :
                           'Means over all else.'
      }, {
        kind: 'dots',
        metric: (against ? 'difference in ' : '') + metric + (points ? ' (points)' : ''),
        share: !against && share,
        rows: shown,
        reference: against ? 0 : undefined
      })));
}

// The alternatives as numbers if all are different numbers, bare ("0.1") or after the same words
// ("C=0.1"); null otherwise.
function slotNumbers({alternatives}) {
  const parts = alternatives.map((text) => text.match(/^(.*[=: ])?([^=: ]*)$/s));
  const numbers = parts.map((part) => (part && isNumber(part[2]) ? Number(part[2]) : NaN));
  const alike = numbers.every((number, i) => Number.isFinite(number) && parts[i][1] === parts[0][1]);
  return alike && allDiffer(numbers) ? numbers : null;
}

// Charts of a study are made of its data when they are first drawn (study.js).
function chartsSection(study) {
  const {methods, slots, blocks, baseline, metric} = study;
  if (!methods.length) return null;
  const several = blocks.length > 1;
  const varying = slots.map((_, i) => i).filter((i) => slots[i].alternatives.length > 1);
  const tall = (...content) => make('div', {class: 'tall'}, content);
  const heat = varying.length > 1 && chartFigure({
    chart: 'study-heat',
    name: 'heat map',
    title: varying.length === 2 ? varying.map((i) => slots[i].name).join(' × ') : 'Pairs of slots',
    caption: varying.length === 2 ? 'The mean of each combination.' :
                                    'The mean of each pair of choices, over the choices in the other slots.'
  }, null);
  const overSlots = varying.filter((i) => slotNumbers(slots[i])).map((slot) => chartFigure({
    chart: 'study-slot',
    title: `${metric} against ${slots[slot].name}`,
    caption: several ? 'Bars are one standard deviation.' : ''
  }, slotLinesOf(study, slot, slotNumbers(slots[slot]))));
  // A map with many columns needs the whole width for its numbers.
  const long = slots.some(({alternatives}) => alternatives.length > 6);
  const beside = [!long && heat, overSlots].flat().filter(Boolean);
  const dashed = baseline !== null && methods[baseline].n > 0 ? '; the dashed line is the baseline' : '';
  return section(
      'charts', 'Charts',
      tall(chartFigure({
        chart: 'study-dots',
        name: 'all combinations',
        title: 'All combinations',
        caption: `Best first${dashed}.${several ? ' Bars are one standard deviation.' : ''}`
      }, dotsOf(study))),
      long && heat, beside.length > 0 && make('div', {class: 'charts'}, beside),
      varying.length > 3 && chartFigure({
        chart: 'study-parallel',
        name: 'parallel coordinates',
        title: 'All combinations across the slots',
        caption: 'One line per combination through its choices, the best ones darkest; the last axis is the mean.'
      }, parallelOf(study)),
      baseline !== null && methods.some(({reach}) => reach !== null) && tall(chartFigure({
        chart: 'study-differences',
        name: 'differences',
        title: 'Differences to the baseline',
        caption: `Mean paired differences to ${methods[baseline].name}; bars are 95 % confidence intervals ` +
            `(${study.t_test}), each by itself, not corrected for their number.`
      }, differencesOf(study))),
      study.critical_difference !== null && chartFigure({
        chart: 'study-ranks',
        name: 'critical difference',
        title: 'Critical difference of the average ranks',
        caption: `Average ranks over ${study.blocks_text}, best on the left. Combinations under the same ` +
            'thick bar do not differ by more than the critical difference (Nemenyi, 5 %; Demsar 2006).'
      }, ranksOf(study)));
}

// The curves that nodes of the variants reported, overlaid.
function curvesSection({curves}) {
  if (!curves.length) return null;
  const chart = (set) => {
    const title = (set.mean ? 'mean ' : '') + wordsOf(set.name);
    const caption = set.mean ? 'The mean false non-match rate at each false match rate, over the repeats ' +
                                   'and data sets of a combination.' : '';
    const lines = set.lines.map((line) => ({...lineOf({...set, ...line}), methods: line.methods}));
    const extent = {...set, x: set.lines.flatMap(({x}) => x), y: set.lines.flatMap(({y}) => y)};
    return chartFigure(
        {chart: 'study-curves', name: `${set.node} ${title}`, title: `${title} of ${set.node}`, caption},
        {...axesOf(extent), levels: set.levels, lines});
  };
  const chooser = folded('Choose combinations', make('div', {class: 'choices'}));
  chooser.className = 'chooser';
  return section('curves', 'Curves', chooser, make('div', {class: 'charts'}, curves.map(chart)));
}

// What each step of a study compared and chose, with links to the pages of the steps.
const stepSection = ({name, choice}, i) => section(
    `step${i + 1}`, `Step ${i + 1}: ${name}`, make('p', {class: 'summary'}, selectionWords(choice)),
    trialsOf(choice, name),
    make('p', {}, make('a', {href: `steps/${encodeURIComponent(name)}/report.html`}, 'Everything this step compared')));
