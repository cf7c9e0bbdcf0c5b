// The charts of a study, from its single block of data: metric, share, higher_is_better,
// slots: [{name, alternatives}], methods: [{name, choices, mean, deviation, difference (to the
// baseline), reach (of its interval), n, rank, place, best, baseline}], critical_difference. `place` is the position among all, the best first.

const mostLines = 10;
const mostRanked = 24;
const mostChosen = 6;
const mostParallel = 300;

const isMeasured = (method) => method.mean !== null;

function byQuality(study) {
  return study.methods.filter(isMeasured).sort((a, b) => a.place - b.place);
}

function dotsOf(study) {
  return {kind: 'dots', metric: study.metric, share: study.share, rows: byQuality(study)};
}

// The differences to the baseline. Those of shares are in points: "-1.2%" could be a quotient.
function differencesOf(study) {
  const unit = study.share ? 100 : 1;
  const rows = byQuality(study)
                   .filter((method) => method.difference !== null)
                   .map((method) => ({
                          ...method,
                          mean: unit * method.difference,
                          deviation: method.reach === null ? null : unit * method.reach,
                          n: 1,
                        }));
  const metric = `difference in ${study.metric}` + (study.share ? ' (points)' : '');
  return {kind: 'dots', metric, share: false, reference: 0, rows};
}

// A method's choices in the slots other than `a` and `b`.
const otherChoices = (method, a, b) =>
    method.choices.filter((_, slot) => slot !== a && slot !== b).join();

// The measured methods of each pair of choices in the slots `a` and `b`.
function methodsOfPairs(study, a, b) {
  return study.slots[a].alternatives.map(
      (_, i) => study.slots[b].alternatives.map(
          (_, j) => study.methods.filter(
              (method) =>
                  method.choices[a] === i && method.choices[b] === j && isMeasured(method))));
}

// The mean of each pair over the choices in the other slots. Only choices that every measured pair
// has count, since means over different choices cannot be compared. If no choice is common to all,
// each pair has its own mean, and a remark says so.
function marginalMeans(study, a, b) {
  const pairs = methodsOfPairs(study, a, b);
  const measured = pairs.flat().filter((methods) => methods.length);
  const sets = measured.map((methods) => new Set(methods.map((m) => otherChoices(m, a, b))));
  const common = new Set(
      [...(sets[0] ?? [])].filter((choices) => sets.every((set) => set.has(choices))));
  const unequal = sets.some((set) => set.size > common.size);
  const counts = (method) => !common.size || common.has(otherChoices(method, a, b));
  const values = pairs.map(
      (row) => row.map(
          (methods) => methods.length ? d3.mean(methods.filter(counts), (m) => m.mean) : null));
  const remarks = [];
  if (unequal)
    remarks.push(
        common.size ?
            `Means over the ${common.size === 1 ? 'one choice' : `${common.size} choices`} in the ` +
                'other slots that all pairs have.' :
            'The pairs have no choice in the other slots in common: their means are over ' +
                'different ones and cannot be compared.');
  const blocks = d3.max(study.methods, (method) => method.n);
  const fewer = study.methods.filter((method) => isMeasured(method) && method.n < blocks).length;
  if (fewer)
    remarks.push(
        `${fewer} of the combinations ${fewer === 1 ? 'is' : 'are'} measured on fewer than ` +
        `${blocks} blocks; the table says which.`);
  return {values, remark: remarks.join(' ')};
}

function heatOf(study, a, b) {
  const [rows, columns] = [study.slots[a], study.slots[b]];
  return {
    kind: 'heat',
    rows: rows.alternatives,
    columns: columns.alternatives,
    row_label: rows.name,
    column_label: columns.name,
    share: study.share,
    ...marginalMeans(study, a, b),
  };
}

// A number alone says nothing.
function choiceText(slot, choice) {
  const text = slot.alternatives[choice];
  return text.trim() !== '' && Number.isFinite(Number(text)) ? `${slot.name} = ${text}` : text;
}

// The metric over a numeric slot, with a line for each combination of the other slots.
function slotLinesOf(study, slot, numbers) {
  const lines = new Map();
  for (const method of byQuality(study)) {
    if (method.choices[slot] === null) continue;  // a combination without the slot
    const others = method.choices.map(
        (choice, i) =>
            (i === slot || choice === null ? null : choiceText(study.slots[i], choice)));
    const name =
        others.filter((other, i) => other !== null && study.slots[i].alternatives.length > 1)
            .join(' · ');
    if (!lines.has(name)) lines.set(name, []);
    lines.get(name).push([numbers[method.choices[slot]], method]);
  }
  const drawn = [...lines].slice(0, mostLines).map(([name, points]) => {
    points.sort((p, q) => p[0] - q[0]);
    return {
      name,
      x: points.map(([x]) => x),
      y: points.map(([, method]) => method.mean),
      error: points.map(([, method]) => method.deviation),
    };
  });
  return {
    kind: 'lines',
    marks: true,
    x: study.slots[slot].name,
    y: study.metric,
    y_share: study.share,
    lines: drawn,
    remark: lines.size > drawn.length ?
        `The ${drawn.length} best of ${lines.size} lines are drawn.` :
        '',
  };
}

function ranksOf(study) {
  const ranked =
      study.methods.filter((method) => method.rank !== null).sort((a, b) => a.rank - b.rank);
  const methods = ranked.slice(0, mostRanked);
  return {
    kind: 'ranks',
    methods,
    difference: study.critical_difference,
    remark: ranked.length > methods.length ?
        `The ${methods.length} best of ${ranked.length} are drawn.` :
        '',
  };
}

// The best combinations across all slots that vary; a line ends at the method's mean.
function parallelOf(study) {
  const varying = study.slots.map((_, i) => i).filter((i) => study.slots[i].alternatives.length > 1);
  const complete = byQuality(study).filter((m) => varying.every((i) => m.choices[i] !== null));
  const drawn = complete.slice(0, mostParallel);
  const left = byQuality(study).length - drawn.length;
  return {
    kind: 'parallel',
    metric: study.metric,
    share: study.share,
    axes: varying.map((i) => study.slots[i]),
    rows: drawn.map((m) => ({...m, choices: varying.map((i) => m.choices[i])})),
    remark: left ? `The ${drawn.length} best with a choice in every slot are drawn, ${left} are not.` : '',
  };
}

function selectOf(label, options, chosen, changed) {
  const select = make('select', {}, options.map(([value, text]) => new Option(text, value, false, value === chosen)));
  select.addEventListener('change', () => changed(Number(select.value)));
  return make('label', {}, label + ' ', select);
}

// Two boxes that choose the slots of the heat map, if there are more than two slots.
function heatControls(figure, study, redraw) {
  const options = study.slots.map((slot, i) => [i, slot.name])
                      .filter(([i]) => study.slots[i].alternatives.length > 1);
  let [a, b] = options.map(([i]) => i);
  const choose = (first, second, boxes) => {
    // A slot is not paired with itself: the other box gets the slot that was replaced.
    if (first === second) [first, second] = first === a ? [b, second] : [first, a];
    [a, b] = [first, second];
    boxes[0].lastChild.value = a;
    boxes[1].lastChild.value = b;
    redraw(heatOf(study, a, b));
  };
  if (options.length > 2) {
    const boxes = [];
    boxes.push(selectOf('Rows', options, a, (value) => choose(value, b, boxes)));
    boxes.push(selectOf('Columns', options, b, (value) => choose(a, value, boxes)));
    figure.querySelector('.picture').before(make('p', {class: 'controls'}, boxes));
  }
  return heatOf(study, a, b);
}

// The lines of the chosen methods; a shared line is named after its first method.
function chosenLines(spec, study, chosen) {
  const lines = [];
  for (const line of spec.lines) {
    const methods = line.methods.filter((i) => chosen.has(i));
    if (!methods.length) continue;
    const more = methods.length > 1 ? ` and ${methods.length - 1} more` : '';
    lines.push({...line, name: study.methods[methods[0]].name + more, group: methods.join(',')});
  }
  const order = (line) => [...chosen].findIndex((i) => line.methods.includes(i));
  return {...spec, lines: lines.sort((a, b) => order(a) - order(b))};
}

function firstChoice(study) {
  const ordered = byQuality(study).map((method) => study.methods.indexOf(method));
  const baseline = study.methods.findIndex((method) => method.baseline);
  const chosen = new Set(ordered.slice(0, mostChosen - (baseline >= 0 ? 1 : 0)));
  if (baseline >= 0) chosen.add(baseline);
  return chosen;
}

// One list of check boxes for all curves of the study.
function prepareChooser(study, changed) {
  const place = document.querySelector('.chooser');
  const chosen = firstChoice(study);
  if (!place) return chosen;
  const list = place.querySelector('.choices');
  study.methods.forEach((method, i) => {
    const box = make('input', {type: 'checkbox', checked: chosen.has(i)});
    box.addEventListener('change', () => {
      if (box.checked)
        chosen.add(i);
      else
        chosen.delete(i);
      changed();
    });
    list.append(make('label', {}, box, ' ' + method.name));
  });
  return chosen;
}
