// Where the time and the stored bytes of a run went: kinds of components, and their nodes within, the
// slowest first and closed at first. The nodes of a study that were one node before its variants were
// merged ("svm[10,seed=1]", "svm[10,seed=2]") are one row.

const mostComponents = 4;

const totalOf = (nodes, what) => nodes.reduce((sum, node) => sum + Math.max(0, what(node)), 0);
const secondsOf = (nodes) => totalOf(nodes, (node) => node.seconds ?? 0);
const bytesOf = (nodes) => totalOf(nodes, (node) => node.bytes);

// Of a study, those of one name and component are summed already.
const countOf = (nodes) => totalOf(nodes, (node) => node.count ?? 1);

// The nodes by a name, the slowest group first.
function grouped(nodes, nameOf) {
  const groups = new Map();
  for (const node of nodes) groups.set(nameOf(node), [...(groups.get(nameOf(node)) ?? []), node]);
  return [...groups].sort(([, a], [, b]) => secondsOf(b) - secondsOf(a));
}

function shareText(part, whole) {
  if (!(part > 0)) return '–';
  return part / whole < 0.005 ? '<1%' : percentOf(part / whole, 0);
}

// Time, bytes, and their shares of the whole run.
function timeColumns(nodes, run) {
  const seconds = secondsOf(nodes), bytes = bytesOf(nodes), number = (style, text) => make('span', {class: style}, text);
  return [
    barOf(run.seconds > 0 ? seconds / run.seconds : 0), number('number', secondsText(seconds)),
    number('number share', shareText(seconds, run.seconds)),
    number('number kept', bytes > 0 ? bytesText(bytes) : '–'),
    number('number kept share', shareText(bytes, run.bytes))
  ];
}

const pill = (text, style = 'pill', title = null) => [' ', make('span', {class: style, title}, text)];
const detail = (text) => text && make('span', {class: 'detail'}, text);

// Whether it comes from the store, and since when: its reported times are of that run.
function stateOfOne({cached, measured, parameters}) {
  const words = Object.entries(parameters).map(
      ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return [
    cached && pill('cached'),
    measured && pill(`from ${dateText(measured.date)} with ${plural(measured.threads, 'thread')}`, 'detail',
                     measured.processor),
    detail(words.join(', '))
  ];
}

function stateOfMany(nodes) {
  const cached = totalOf(nodes, (node) => Number(node.cached));
  const slowest = nodes.map((node) => node.slowest ?? node).reduce((a, b) => (b.seconds > a.seconds ? b : a));
  return [
    cached > 0 && pill(`${cached} cached`),
    detail(`${countOf(nodes)} nodes` + (slowest.seconds > 0 ?
        `; the slowest, ${slowest.name}, took ${secondsText(slowest.seconds)}` : ''))
  ];
}

// A slot of a study may vary the component.
function componentsOf(nodes) {
  const different = grouped(nodes, (node) => node.component);
  return [
    different.slice(0, mostComponents).map(
        ([name, [first]]) => [' ', make('code', {title: first.summary}, name)]),
    different.length > mostComponents && ` and ${different.length - mostComponents} more`
  ];
}

function nodeRow([name, nodes], run) {
  const what = make('span', {class: 'what'}, make('span', {class: 'name'}, name), componentsOf(nodes),
                    countOf(nodes) === 1 ? stateOfOne(nodes[0]) : stateOfMany(nodes));
  return make('div', {class: 'row'}, what, timeColumns(nodes, run));
}

function kindRows([kind, nodes], run) {
  const what = make('span', {class: 'what'}, make('span', {class: 'name'}, kind));
  return make('details', {}, make('summary', {class: 'row'}, what, timeColumns(nodes, run)),
              grouped(nodes, (node) => node.name.split('[')[0]).map((group) => nodeRow(group, run)));
}

function timingOf({nodes, threads, wall_seconds, choosing_seconds}) {
  if (!nodes.length) return null;
  const run = {seconds: secondsOf(nodes), bytes: bytesOf(nodes)}, count = countOf(nodes);
  const heads = [
    ['what', 'Kind, and its nodes'], ['bar none', ''], ['number', 'Busy'], ['number share', ''],
    ['number kept', 'Kept'], ['number kept share', '']
  ];
  const choosing = choosing_seconds > 0 ?
      `, of which choosing parameters took ${secondsText(choosing_seconds)}` : '';
  return section(
      'time', 'Time and memory',
      make('div', {class: 'tree'},
           make('div', {class: 'row head'}, heads.map(([style, text]) => make('span', {class: style}, text))),
           grouped(nodes, (node) => node.component.split('/')[0]).map((kind) => kindRows(kind, run))),
      note(`${count} node${count === 1 ? ' was' : 's were'} busy for ` +
           `${secondsText(run.seconds)} in total, summed over ${plural(threads, 'thread')}, and the run ` +
           `took ${secondsText(wall_seconds)}${choosing}. Outputs of ${bytesText(run.bytes)} are kept.`));
}
