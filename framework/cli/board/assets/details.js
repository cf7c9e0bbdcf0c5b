// What stands below the list: one run, or several beside each other.

// --- One run ---

function tableOf(heads, rows) {
  const table = element('table');
  if (heads) table.append(element('thead', {}, element('tr', {}, ...heads.map((head) => element('th', {}, head)))));
  table.append(element('tbody', {}, ...rows.map((row) => element('tr', {}, ...row))));
  return element('div', {class: 'scroll'}, table);
}

function lineChart(title, lines) {
  const width = 420, height = 220, left = 56, bottom = 24, space = 'http://www.w3.org/2000/svg';
  const points = lines.map((line) => line.x.map((x, i) => [x, line.y[i]])
                                         .filter(([x, y]) => x !== null && y !== null));
  const all = points.flat();
  const figure = element('figure', {class: 'curve'});
  if (all.length === 0) return figure;
  const range = (values) => {
    const low = Math.min(...values), high = Math.max(...values);
    return low === high ? [low - 0.5, high + 0.5] : [low, high];
  };
  const ys = all.map((point) => point[1]);
  const logarithmic = Math.min(...ys) > 0 && Math.max(...ys) > 100 * Math.min(...ys);
  const scale = (y) => logarithmic ? Math.log10(y) : y;
  const [x0, x1] = range(all.map((point) => point[0])), [y0, y1] = range(ys.map(scale));
  const place = ([x, y]) => [left + (x - x0) / (x1 - x0) * (width - left - 8),
                             8 + (y1 - scale(y)) / (y1 - y0) * (height - bottom - 8)];
  const make = (tag, attributes, text) => {
    const made = document.createElementNS(space, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (text) made.textContent = text;
    return made;
  };
  const svg = make('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': title});
  const short = (value) => Number(value.toPrecision(3)).toString();
  for (const [y, at] of [[y0, height - bottom], [y1, 8]]) {
    svg.append(make('line', {x1: left, x2: width - 8, y1: at, y2: at}));
    svg.append(make('text', {x: left - 6, y: at + 4, 'text-anchor': 'end'}, short(logarithmic ? 10 ** y : y)));
  }
  svg.append(make('text', {x: left, y: height - 6}, short(x0)));
  svg.append(make('text', {x: width - 8, y: height - 6, 'text-anchor': 'end'}, short(x1)));
  lines.forEach((line, i) => {
    const path = points[i].map((point) => place(point).map((v) => v.toFixed(1)).join()).join('L');
    if (path) svg.append(make('path', {d: `M${path}`, class: `c${line.run % 7}`}));
  });
  figure.append(element('figcaption', {}, title.replaceAll('_', ' ')), svg);
  return figure;
}

function annotation(run) {
  const tags = element('input', {value: run.tags.join(' '), id: 'tags', spellcheck: false});
  const note = element('textarea', {value: run.note, id: 'note'});
  const save = element('button', {type: 'button', id: 'save'}, 'Save');
  const said = element('span', {class: 'note', id: 'saved'});
  save.addEventListener('click', async () => {
    try {
      await ask('/api/annotate', {
        method: 'POST', headers: {'Content-Type': 'application/json'},
        body: JSON.stringify({id: run.id, tags: [...new Set(tags.value.split(/[\s,]+/).filter(Boolean))],
                              note: note.value})});
      said.textContent = 'Saved in the history.';
      refresh();
    } catch (error) {
      said.textContent = error.message;
    }
  });
  return element('div', {class: 'annotate'}, element('label', {htmlFor: 'tags'}, 'Tags'), tags,
                 element('label', {htmlFor: 'note'}, 'Note'), note, save, said);
}

function copier(text, label) {
  const button = element('button', {type: 'button', class: 'quiet', id: 'copy'}, label);
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Copy it by hand';
    }
  });
  return button;
}

function fillLive(part, run) {
  const progress = run.progress;
  const children = [];
  if (progress) {
    const share = progress.nodes ? progress.finished / progress.nodes : 0;
    const bar = element('i');
    bar.style.width = `${100 * share}%`;
    children.push(element('p', {id: 'live'}, `${progress.finished} of ${progress.nodes} nodes are done; ` +
                          `${seconds(progress.elapsed)} so far`), element('div', {class: 'meter'}, bar));
    if (progress.threads.length > 0) children.push(tableOf(['Thread', 'Works on', 'Phase', 'Done', 'Since'], progress.threads.map((work) => [
      element('td', {}, work.thread.replace('thread ', '')),
      element('td', {}, work.node),
      element('td', {}, work.phase),
      element('td', {class: 'number'}, work.total > 0 ? `${Math.floor(100 * work.done / work.total)}%` : ''),
      element('td', {class: 'number'}, seconds(work.seconds))])));
  }
  if (run.log) {
    const log = element('pre', {id: 'log'}, run.log);
    children.push(element('h3', {}, 'Log'), log);
    requestAnimationFrame(() => { log.scrollTop = log.scrollHeight; });
  }
  part.replaceChildren(...children);
}

function figuresTable(run) {
  const shown = [...run.all_figures].sort((a, b) => b.headline - a.headline);
  return tableOf(['Node', 'Figure', 'Value'], shown.map((figure) => [
    element('td', {}, figure.node), element('td', {}, figure.figure.replaceAll('_', ' ')),
    element('td', {class: figure.headline ? 'number best' : 'number', title: String(figure.value)}, figure.text)]));
}

async function show(id) {
  let run;
  try {
    run = await ask(`/api/run/${id}`);
  } catch (error) {
    complain(error.message);
    return;
  }
  state.open = {id, status: run.status};
  const page = `/page/${id}/`;
  const has = (file) => run.files?.includes(file);
  const link = (file, text) => has(file)
      ? element('a', {href: page + (file === 'report.html' ? '' : file), target: '_blank', rel: 'noopener'}, text) : null;
  const close = element('button', {type: 'button', class: 'quiet'}, 'Close');
  close.addEventListener('click', shut);
  const live = element('div', {id: 'follow'}), figures = element('div', {id: 'figures'}, figuresTable(run));
  const parts = [
    element('h2', {}, run.name, bestText(run), ' ', element('span', {class: `status ${run.status}`}, run.status)),
    element('p', {class: 'note'}, run.folder),
    ...run.remarks.map((remark) => element('p', {class: 'problem'}, remark)),
    element('div', {class: 'actions'}, link('report.html', 'Open the report'), link('metrics.json', 'metrics.json'),
            link('study.json', 'study.json'), link('pipeline.yaml', 'pipeline.yaml'), link('study.yaml', 'study.yaml'),
            run.command ? copier(run.command, 'Copy the command') : null, close),
    run.command ? element('pre', {class: 'command', id: 'command'}, run.command) : null,
    annotation(run), live,
    element('div', {class: 'columns'},
            run.all_figures.length || run.status === 'running' ?
                element('div', {}, element('h3', {}, 'Figures'), figures) : null,
            run.parameters.length ?
                element('div', {}, element('h3', {}, 'Parameters'), tableOf(null, run.parameters.map(
                    ([key, value]) => [element('td', {}, key), element('td', {}, value)]))) : null),
    element('div', {class: 'charts'}, ...run.curves.map((curve) => lineChart(curve.key, [{...curve, run: 0}])))];
  fillLive(live, run);
  $('detail').replaceChildren(...parts.filter(Boolean));
  $('detail').hidden = false;
  $('list').classList.add('short');
  draw();
}

// A run in progress: its figures, its nodes and its log, again and again.
async function follow() {
  if (!state.open || state.open.status !== 'running') return;
  const id = state.open.id;
  try {
    const run = await ask(`/api/run/${id}`);
    if (state.open?.id !== id) return;
    if (run.status !== 'running') {
      await show(id);
      return;
    }
    fillLive($('follow'), run);
    $('figures').replaceChildren(figuresTable(run));
  } catch (error) {
    complain(error.message);
  }
}

function shut() {
  state.open = null;
  $('detail').hidden = true;
  $('detail').replaceChildren();
  $('list').classList.remove('short');
  $('list').focus();
  draw();
}

// --- Several runs ---

function testsOf(tests) {
  if (tests.problem) return element('p', {class: 'note', id: 'tests'}, tests.problem);
  return element('pre', {id: 'tests'}, tests.text);
}

// What `better` says, for a figure whose declaration does not.
async function compare(metric = '', better = '') {
  const ids = [...state.chosen.keys()];
  if (ids.length === 0) return;
  let all;
  try {
    all = await ask(`/api/compare?${new URLSearchParams({ids: ids.join(), metric, better})}`);
  } catch (error) {
    complain(error.message);
    return;
  }
  complain('');
  state.open = null;
  const named = (run) => run.place.split('/').pop();
  const heads = ['', ...all.runs.map(named)];
  const bestOf = (row) => {
    const values = row.values.map((value) => value?.value).filter((value) => typeof value === 'number');
    if (values.length < 2) return null;
    const direction = row.key === metric && better ? better : row.better;
    return direction === 'lower' ? Math.min(...values) : direction === 'higher' ? Math.max(...values) : null;
  };
  const figures = [...all.figures].sort((a, b) => Boolean(b.headline) - Boolean(a.headline));
  const chooser = element('select', {id: 'metric'}, element('option', {value: ''}, 'the headline figure'),
                          ...figures.map((row) => element('option', {value: row.key}, row.key)));
  chooser.value = metric;
  chooser.addEventListener('change', () => compare(chooser.value));
  const undirected = figures.some((row) => row.key === metric && row.better === 'none');
  const direction = element('select', {id: 'better', hidden: !undirected, 'aria-label': 'Which of two values is better'},
      ...[['', 'which is better?'], ['lower', 'lower is better'], ['higher', 'higher is better']].map(
          ([value, text]) => element('option', {value}, text)));
  direction.value = better;
  direction.addEventListener('change', () => compare(metric, direction.value));
  const unsaid = {problem: `It is not known which of two values of ${metric} is better: say so above.`};
  const close = element('button', {type: 'button', class: 'quiet'}, 'Close');
  close.addEventListener('click', shut);
  const curves = all.curves.map((row) => lineChart(row.key, row.values.map(
      (line, run) => line && {...line, run}).filter(Boolean)));
  $('detail').replaceChildren(...[
    element('h2', {}, `${all.runs.length} runs compared`),
    element('div', {class: 'actions'}, element('label', {htmlFor: 'metric'}, 'Test'), chooser, direction, close),
    element('ul', {class: 'legend-of-runs'}, ...all.runs.map((run, i) => element('li', {class: `c${i % 7}`}, element('i'), named(run)))),
    ...all.runs.flatMap((run) => run.remarks.map((remark) => element('p', {class: 'problem'}, `${named(run)}: ${remark}`))),
    testsOf(undirected && !better ? unsaid : all.tests),
    element('h3', {}, 'Parameters that differ'),
    all.parameters.length === 0 ? element('p', {class: 'note'}, 'None.') : null,
    Object.assign(tableOf(heads, all.parameters.map((row) => [element('th', {}, row.key),
      ...row.values.map((value) => element('td', {}, value ?? '–'))])), {id: 'differing'}),
    element('h3', {}, 'Figures'),
    Object.assign(tableOf(heads, figures.map((row) => {
      const best = bestOf(row);
      return [element('th', {}, row.key.replaceAll('_', ' ')), ...row.values.map((value) => element('td', {
        class: value && value.value === best ? 'number best' : 'number',
        title: value ? String(value.value) : ''}, value?.text ?? '–'))];
    })), {id: 'compared'}),
    element('div', {class: 'charts', id: 'curves'}, ...curves)].filter(Boolean));
  $('detail').hidden = false;
  $('list').classList.add('short');
  draw();
}
