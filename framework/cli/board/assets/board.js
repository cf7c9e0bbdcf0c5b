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
