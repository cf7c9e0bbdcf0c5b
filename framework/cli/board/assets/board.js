// The list has places for all runs, and rows only for those in view: ten thousand scroll like ten.
const ROW = 34;
const $ = (id) => document.getElementById(id);
const state = {
  all: [], problems: [], version: '', busy: false,
  filter: '', sort: {key: 'started', down: true}, shown: [], keys: [], heads: '', current: 0,
  chosen: new Map(), open: null,
};

function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === 'class') made.className = value;
    else if (name.startsWith('data-') || name.startsWith('aria-') || name === 'role')
      made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

async function ask(path, options) {
  const answer = await fetch(path, options);
  const content = await answer.json();
  if (!answer.ok) throw new Error(content.error);
  return content;
}

function complain(text) {
  $('problem').hidden = !text;
  $('problem').textContent = text || '';
}

const seconds = (value) => {
  if (value === null) return '–';
  if (value < 0.0995) return `${Math.round(value * 1000)} ms`;
  if (value < 99.5) return `${value.toFixed(value < 0.995 ? 2 : value < 9.95 ? 1 : 0)} s`;
  const minutes = Math.floor(value / 60);
  if (minutes < 60) return `${minutes} min ${String(Math.floor(value % 60)).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
};
const moment = (utc) => utc.replace('T', ' ').replace(/:\d\dZ$/, '');

// ": rbf, 3.10%" of a study: its best methods, and their figure.
const bestText = (run) => run.best.length ? `: ${run.best.join(', ')}, ${Object.values(run.figures)[0].text}` : '';

// --- The list ---

// The figure before its node: narrow columns cut the end.
function figureTitle(key) {
  const dot = key.indexOf('.');
  const words = (text) => text.replaceAll('_', ' ');
  return dot < 0 ? words(key) : `${words(key.slice(dot + 1))}, ${words(key.slice(0, dot))}`;
}

function columns() {
  const fixed = [
    {key: '', title: '', width: '20px'},
    {key: 'name', title: 'Name', width: 'minmax(160px, 2fr)'},
    {key: 'status', title: 'Status', width: '78px'},
    {key: 'started', title: 'Started (UTC)', width: '130px'},
    {key: 'took', title: 'Took', width: '90px', number: true},
    {key: 'seed', title: 'Seed', width: '60px', number: true},
  ];
  const figures = state.keys.slice(0, 4).map((figure) => ({
    key: figure.key, title: figureTitle(figure.key), width: 'minmax(100px, 1fr)',
    number: true, figure: true, better: figure.better}));
  return [...fixed, ...figures, {key: 'tags', title: 'Tags', width: 'minmax(80px, 1fr)'},
          {key: 'note', title: 'Note', width: 'minmax(100px, 2fr)'}];
}

function drawHeads() {
  const all = columns();
  $('list').style.setProperty('--columns', all.map((column) => column.width).join(' '));
  $('heads').style.gridTemplateColumns = 'var(--columns)';
  $('heads').replaceChildren(...all.map((column) => {
    const head = element('span', {role: 'columnheader', class: column.number ? 'number' : ''});
    if (!column.key) return head;
    const directed = column.better === 'lower' || column.better === 'higher';
    const button = element('button', {type: 'button',
      title: `Sort by ${column.title}${directed ? ', best first' : ''}`}, column.title);
    const {key, down} = state.sort;
    if (key === column.key) button.dataset.order = down ? 'down' : 'up';
    button.addEventListener('click', () => {
      const first = column.better === 'higher' || !(column.number || ['name', 'status'].includes(column.key));
      state.sort = {key: column.key, down: key === column.key ? !down : first};
      restart();
    });
    head.append(button);
    return head;
  }));
}

function cells(run) {
  const box = element('input', {type: 'checkbox', checked: state.chosen.has(run.id), tabIndex: -1});
  box.setAttribute('aria-label', `Choose ${run.place}`);
  box.addEventListener('click', (event) => { event.stopPropagation(); choose(run); });
  const status = element('span', {class: `status ${run.status}`}, run.gone ? `${run.status}, gone` : run.status);
  return [box, element('span', {class: 'name', title: run.place}, run.name,
                       element('span', {class: 'muted'}, bestText(run),
                               ` ${run.place.split('/').pop()}`)),
          status, element('span', {}, moment(run.started)),
          element('span', {class: 'number'}, seconds(run.wall_seconds)),
          element('span', {class: 'number'}, run.seed),
          ...state.keys.slice(0, 4).map((figure) => element(
              'span', {class: 'number'}, run.figures[figure.key]?.text ?? '')),
          element('span', {}, ...run.tags.map((tag) => element('span', {class: 'tag'}, tag))),
          element('span', {class: 'muted', title: run.note}, run.problem || run.note)];
}

function draw() {
  const list = $('list');
  $('space').style.height = `${state.shown.length * ROW}px`;
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 5);
  const last = Math.min(state.shown.length, first + Math.ceil(list.clientHeight / ROW) + 12);
  const rows = [];
  for (let i = first; i < last; ++i) {
    const run = state.shown[i];
    const row = element('div', {class: 'row item', role: 'row', 'data-id': run.id, 'data-number': i}, ...cells(run));
    row.style.top = `${i * ROW}px`;
    row.style.gridTemplateColumns = 'var(--columns)';
    row.setAttribute('aria-selected', state.chosen.has(run.id));
    row.classList.toggle('current', i === state.current);
    row.classList.toggle('gone', run.gone);
    row.addEventListener('click', () => { state.current = i; draw(); show(run.id); });
    rows.push(row);
  }
  $('space').replaceChildren(...rows);
  $('empty').hidden = state.shown.length > 0;
  $('compare').disabled = state.chosen.size === 0;
  $('compare').textContent = state.chosen.size ? `Compare ${state.chosen.size}` : 'Compare';
  $('clear').hidden = state.chosen.size === 0;
}

// The figures of the runs, those that most report first.
function commonFigures(runs) {
  const known = new Map();
  for (const run of runs) for (const [key, {better}] of Object.entries(run.figures)) {
    if (!known.has(key)) known.set(key, {key, better: 'none', runs: 0});
    const figure = known.get(key);
    ++figure.runs;
    if (better !== 'none') figure.better = better;  // which a history does not say
  }
  return [...known.values()].sort((a, b) => b.runs - a.runs);
}

// When a run started, also among the runs of one second.
const start = (run) => run.started + run.order;

// What a run is sorted by; null comes last.
function sortedBy(run, key) {
  if (key === 'started') return start(run);
  if (key === 'took') return run.wall_seconds;
  if (key === 'seed') return run.seed === null ? null : Number(run.seed);
  if (key === 'tags') return run.tags.join(' ') || null;
  if (key in run.figures) return run.figures[key].value;
  return typeof run[key] === 'string' ? run[key].toLowerCase() || null : null;
}

// All words must be in a run's texts; one with a minus in front must not.
function select() {
  const words = state.filter.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (run, word) => word.length > 1 && word.startsWith('-') ? !run.text.includes(word.slice(1))
                                                                     : run.text.includes(word);
  const {key, down} = state.sort;
  state.shown = state.all.filter((run) => words.every((word) => has(run, word)))
      .map((run) => [sortedBy(run, key), run])
      .sort(([a, x], [b, y]) => {
        if ((a === null) !== (b === null)) return a === null ? 1 : -1;
        if (a !== b) return (a < b) === down ? 1 : -1;
        if (start(x) !== start(y)) return start(x) < start(y) ? 1 : -1;
        return x.id < y.id ? -1 : 1;
      })
      .map(([, run]) => run);
  state.keys = commonFigures(state.shown);
  const heads = JSON.stringify([state.sort, state.keys.slice(0, 4).map((figure) => figure.key)]);
  if (heads !== state.heads) drawHeads();
  state.heads = heads;
  const count = (n, what) => `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;
  const running = state.all.filter((run) => run.status === 'running').length;
  $('facts').textContent = [
    (state.filter ? `${state.shown.length.toLocaleString('en')} of ` : '') + count(state.all.length, 'run'),
    running ? `${running} going on` : ''].filter(Boolean).join(' · ');
  draw();
}

function restart() {
  state.current = 0;
  $('list').scrollTop = 0;
  select();
}

async function refresh() {
  if (state.busy) return;
  state.busy = true;
  try {
    const found = await ask(`/api/runs?seen=${state.version}`);
    if (found.runs) {
      for (const run of found.runs)
        run.text = [run.name, run.place, ...run.best, ...run.tags, run.note, run.status, run.kind].join('\n').toLowerCase();
      Object.assign(state, {all: found.runs, problems: found.problems, version: found.version});
      select();
    }
    complain(state.problems.join('\n'));
  } catch (error) {
    complain(error.message);
  }
  state.busy = false;
}

function choose(run) {
  if (!state.chosen.delete(run.id)) state.chosen.set(run.id, run);
  draw();
}

function move(by) {
  state.current = Math.min(Math.max(0, state.current + by), Math.max(0, state.shown.length - 1));
  const list = $('list'), top = state.current * ROW;
  if (top < list.scrollTop) list.scrollTop = top;
  if (top + 2 * ROW > list.scrollTop + list.clientHeight)
    list.scrollTop = top + 2 * ROW - list.clientHeight;
  draw();
}

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

// --- Keys and times ---

let waiting = 0;
$('filter').addEventListener('input', () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => { state.filter = $('filter').value; restart(); }, 150);
});
$('filter').addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' && event.key !== 'Escape' && event.key !== 'ArrowDown') return;
  event.preventDefault();
  event.stopPropagation();
  $('list').focus();
});
$('list').addEventListener('scroll', draw, {passive: true});
addEventListener('resize', draw);
$('compare').addEventListener('click', () => compare());
$('clear').addEventListener('click', () => { state.chosen.clear(); draw(); });
addEventListener('keydown', (event) => {
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== 'checkbox') return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const run = state.shown[state.current];
  const page = Math.max(1, Math.floor($('list').clientHeight / ROW) - 2);
  const acts = {
    '/': () => { $('filter').focus(); $('filter').select(); },
    ArrowDown: () => move(1), j: () => move(1), ArrowUp: () => move(-1), k: () => move(-1),
    PageDown: () => move(page), PageUp: () => move(-page),
    Home: () => move(-state.shown.length), End: () => move(state.shown.length),
    x: () => run && choose(run), c: () => compare(), Escape: shut,
    Enter: () => event.target.tagName !== 'BUTTON' && event.target.tagName !== 'A' && run && show(run.id),
  };
  if (!acts[event.key]) return;
  if (event.key !== 'Enter' || (event.target.tagName !== 'BUTTON' && event.target.tagName !== 'A'))
    event.preventDefault();
  acts[event.key]();
});
setInterval(() => { if (!document.hidden) refresh(); }, 2000);
setInterval(() => { if (!document.hidden) follow(); }, 1000);
drawHeads();
refresh();
$('list').focus();
