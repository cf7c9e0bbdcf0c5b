// How parameters were chosen: what was compared as a picture and as a table.

const trialFigure = (trial) => numberOf(trial.pooled ?? trial.mean);
const trialName = ({parameters}, {values}) =>
    parameters.map((name, p) => values[p] !== '' && `${name}=${values[p]}`).filter(Boolean).join(', ');
const isNumber = (text) => text.trim() !== '' && Number.isFinite(Number(text));
const metricName = ({metric}) => wordsOf(metric.slice(metric.indexOf('.') + 1));

// Whether the figures have a spread over folds.
const hasError = (trial) => typeof trial.error === 'number';

// What was chosen, in words.
function selectionWords(choice) {
  const best = choice.trials[choice.chosen], values = trialName(choice, best);
  const wins = `The ${choice.higher_is_better ? 'high' : 'low'}est of ${choice.trials.length}`;
  const figure = choice.metric + ' ' +
      (hasError(best) ? figureWithError(choice.unit, trialFigure(best), best.error) :
                        figureText(choice.unit, trialFigure(best)));
  if (choice.repeats.length) return stepWords(choice, values, wins, figure);
  const inside = choice.leave_one_out ? 'each training row predicted from all others' :
      (best.pooled !== undefined ? 'of all held-out rows' : 'mean') +
          (!hasError(best)              ? ',' :
           best.pooled !== undefined ? ', with the standard error' :
                                       ' and standard error') +
          ` over ${choice.folds} folds of the training rows`;
  if (!values)
    return `${figure} (${inside}${hasError(best) ? `, standard deviation ${figureText(choice.unit, best.deviation)}` : ''}). ` +
        'The model is trained on all training rows.';
  return `Chosen: ${values}, with ${figure} (${inside}). ${wins} wins; the figures above come from ` +
      'training with these values on all training rows.';
}

// The choice of a step of a study.
function stepWords(choice, values, wins, figure) {
  const over = choice.folds > 1 ? ` (mean and standard error over ${choice.folds} repeats)` : '';
  const within = choice.within > 0 ?
      `, or the first that is at most ${quantityText(100 * choice.within)} % worse` : '';
  const edge = choice.remark ? ` At the edge: ${choice.remark}.` : '';
  return `Chosen: ${values}, with ${figure}${over}. ${wins} means wins${within}.${edge}`;
}

// All trials with their figures on each fold.
function trialsTable(choice) {
  const pooled = choice.trials.some((trial) => trial.pooled !== undefined);
  const folds = choice.leave_one_out ? 0 : choice.folds;
  const columns = choice.leave_one_out ? ['leave-one-out'] : ['mean', 'deviation', 'standard error'];
  if (pooled) columns.unshift('all rows');
  for (let f = 0; f < folds; ++f) columns.push(choice.repeats[f] ?? `fold ${f + 1}`);
  const row = (trial) => [
    ...(pooled ? [trialFigure(trial)] : []), trial.mean,
    ...(choice.leave_one_out ? [] : [trial.deviation, trial.error]),
    ...Array.from({length: folds}, (_, f) => trial.folds[f] ?? 'nan')
  ];
  const nothing = columns.map(() => 'nan');
  const several = choice.trials.length > 1;
  return numberTable({
    row_label: 'values',
    columns,
    rows: choice.trials.map((trial, t) => (trialName(choice, trial) || 'as it is') +
                                (several && t === choice.chosen ? ' (chosen)' : '')),
    values: choice.trials.flatMap((trial) => (trial.failure ? nothing : row(trial))),
    units: columns.map(() => choice.unit)
  });
}

// The different values of a parameter, ascending if all are numbers.
function valuesOf({trials}, parameter) {
  const values = [...new Set(trials.map((trial) => trial.values[parameter]))];
  return values.every(isNumber) ? values.sort((a, b) => a - b) : values;
}

function failureWords({trials}) {
  const failed = trials.filter((trial) => trial.failure).length;
  const dropped = trials.filter((trial) => trial.dropped).length;
  return (failed ? ` ${failed} of ${trials.length} failed.` : '') +
      (dropped ? ` ${dropped} of ${trials.length} were dropped before the last fold (halving).` : '');
}

const soundTrials = ({trials}) => trials.filter((trial) => !trial.failure);
const areShareFigures = (choice) => choice.unit === 'share' &&
    soundTrials(choice).every((trial) => trialFigure(trial) >= 0 && trialFigure(trial) <= 1);

// The mean over the values of one parameter, which are numbers.
function choiceCurve(choice, parameter, name) {
  const at = (trial) => Number(trial.values[parameter]);
  const trials = soundTrials(choice).sort((a, b) => at(a) - at(b));
  const chosen = choice.trials[choice.chosen], metric = metricName(choice);
  const spread = choice.folds > 1;
  const title = `${metric} against ${choice.parameters[parameter]}`;
  const caption = 'The chosen value has a circle.' +
      (spread ? ' Bars are one standard error.' : '') + failureWords(choice);
  return chartFigure({name: `${name} ${title}`, title, caption}, {
    kind: 'lines',
    marks: true,
    x: choice.parameters[parameter],
    y: metric,
    y_share: areShareFigures(choice),
    chosen: [at(chosen), trialFigure(chosen)],
    lines: [{
      name: '',
      x: trials.map(at),
      y: trials.map((trial) => finiteOrNull(trialFigure(trial))),
      error: trials.map((trial) => (spread ? finiteOrNull(trial.error) : null))
    }]
  });
}

// The best mean of each pair of values of two parameters, over the values of the others.
function choiceHeatMap(choice, [first, second, ...others], name) {
  const rows = valuesOf(choice, first), columns = valuesOf(choice, second);
  const better = (a, b) => a === null || (choice.higher_is_better ? b > a : b < a);
  const values = rows.map(
      (row) => columns.map(
          (column) => soundTrials(choice)
                          .filter(({values: of}) => of[first] === row && of[second] === column)
                          .reduce((best, trial) => better(best, trialFigure(trial)) ? finiteOrNull(trialFigure(trial)) : best, null)));
  const chosen = choice.trials[choice.chosen].values, metric = metricName(choice);
  const [row_label, column_label] = [choice.parameters[first], choice.parameters[second]];
  const title = `${metric} by ${row_label} and ${column_label}`;
  const caption = (others.length ?
      'The best mean of each pair over the values of the other parameters; the chosen one has a frame.' :
      'The mean of each pair; the chosen one has a frame.') + failureWords(choice);
  // Trials without the parameter have no value of it.
  const labels = (texts) => texts.map((text) => text || '–');
  return chartFigure({name: `${name} ${title}`, title, caption}, {
    kind: 'heat',
    rows: labels(rows),
    columns: labels(columns),
    row_label,
    column_label,
    share: areShareFigures(choice),
    chosen: [rows.indexOf(chosen[first]), columns.indexOf(chosen[second])],
    values
  });
}

// One parameter as a curve, several as a heat map of the first two that vary; the trials as a table
// below. Without a picture where a single parameter has values that are no numbers.
function trialsOf(choice, name) {
  const varying = choice.parameters.map((_, p) => p).filter((p) => valuesOf(choice, p).length > 1);
  const curve = varying.length === 1 && valuesOf(choice, varying[0]).every(isNumber);
  if (!curve && varying.length < 2) return trialsTable(choice);
  return [
    curve ? choiceCurve(choice, varying[0], name) : choiceHeatMap(choice, varying, name),
    folded(`All ${choice.trials.length} combinations as a table`, trialsTable(choice))
  ];
}

const selectionSection = (choice) => choice && section(
    'selection', 'Cross-validation', make('p', {class: 'summary'}, selectionWords(choice)),
    trialsOf(choice, 'selection'));
