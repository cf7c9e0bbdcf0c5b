// Elements of the page, and figures as the terminal prints them.

const svgElements =
    new Set(['svg', 'g', 'title', 'rect', 'circle', 'line', 'polyline', 'image', 'text']);

// An element with its attributes and children; what is null or empty is left out.
function make(tag, attributes = {}, ...children) {
  const made = svgElements.has(tag) ? document.createElementNS(svgName, tag) :
                                      document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  made.append(...children.flat(Infinity).filter((child) => child || child === 0));
  return made;
}

const section = (id, heading, ...content) =>
    make('section', {id}, make('h2', {}, heading), content);
const folded = (summary, ...content) =>
    make('details', {}, make('summary', {}, summary), content);
const note = (text) => text && make('p', {class: 'note'}, text);

// Numbers that JSON cannot hold are texts.
const oddNumbers = {nan: NaN, '-nan': NaN, inf: Infinity, '-inf': -Infinity};
const numberOf = (stored) => (stored in oddNumbers ? oddNumbers[stored] : stored);

// A last digit 5 with nothing after it is rounded to the even digit, as in the terminal's tables.
function fixed(value, decimals) {
  const scaled = value * 10 ** decimals;
  const between = Math.abs(scaled % 1) === 0.5 && Number.isInteger(value * 2 ** (decimals + 1));
  if (!between) return value.toFixed(decimals);
  return (2 * Math.round(scaled / 2) / 10 ** decimals).toFixed(decimals);
}

const countText = (count) =>
    Math.abs(count) < 1e4 ? String(count) : count.toLocaleString('en');
const plural = (count, what) => `${countText(count)} ${what}${count === 1 ? '' : 's'}`;
const percentOf = (share, decimals) => fixed(100 * share, decimals) + '%';

// With `digits` significant digits, without unnecessary zeros: "12,345.6".
function quantityText(value, digits = 5) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'not a number' : 'unbounded';
  const size = Math.abs(value);
  if (size < 1e15 && Number.isInteger(value)) return countText(value);
  if (size >= 1e4 && size < 1e12) {
    const text = fixed(value, 1);
    return countText(Number(text.slice(0, -2))) + text.slice(-2);
  }
  const [lead, power] = value.toExponential(digits - 1).split('e').map(Number);
  if (power >= -4 && power < digits) return String(Number(fixed(value, digits - 1 - power)));
  return `${lead}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

const isNegative = (value) => value < 0 || Object.is(value, -0);
const minusText = (value, digits = 4) =>
    (isNegative(value) ? '−' : '') + quantityText(Math.abs(value), digits);
const signedText = (value, digits = 4) =>
    (isNegative(value) ? '' : '+') + minusText(value, digits);

function secondsText(seconds) {
  if (!Number.isFinite(seconds)) return 'unknown';
  if (seconds <= 0) return '0 s';
  if (seconds < 0.0995) return fixed(1000 * seconds, 0) + ' ms';
  if (seconds < 99.5) return fixed(seconds, seconds < 0.995 ? 2 : seconds < 9.95 ? 1 : 0) + ' s';
  if (seconds >= 1e9) return seconds.toExponential(1) + ' s';
  const two = (number) => String(number).padStart(2, '0');
  const whole = Math.round(seconds), minutes = Math.floor((whole + 30) / 60);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
}

function bytesText(bytes) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let unit = 0;
  for (; bytes >= 999.5 && unit + 1 < units.length; ++unit) bytes /= 1024;
  return `${fixed(bytes, unit > 0 && bytes < 9.95 ? 1 : 0)} ${units[unit]}`;
}

// A reported value in its declared unit.
function figureText(unit, value) {
  if (typeof value === 'string') return value;
  if (unit === 'share' && value >= 0 && value <= 1) return percentOf(value, 2);
  if (unit === 'seconds') return secondsText(value);
  if (unit === 'bytes' && value >= 0) return bytesText(value);
  return quantityText(value);
}

// Both with the same decimals, two significant ones of the error.
function figureWithError(unit, value, error) {
  const decimals = error > 0 ? Math.max(0, 1 - Math.floor(Math.log10(error))) : 0;
  const inUnit = ['share', 'seconds', 'bytes'].includes(unit);
  if (inUnit || !(error > 0) || decimals > 9 || !(Math.abs(value) < 1e7))
    return `${figureText(unit, value)} ± ${figureText(unit, error)}`;
  return `${fixed(value, decimals)} ± ${fixed(error, decimals)}`;
}

const acronyms = new Set(['eer', 'auc', 'roc', 'det']);
const wordsOf = (name) =>
    name.split('_').map((word) => (acronyms.has(word) ? word.toUpperCase() : word)).join(' ');

function figureWords(name, unit) {
  if (unit === 'seconds' && name.endsWith('_seconds')) return wordsOf(name.slice(0, -8)) + ' time';
  return wordsOf(unit === 'bytes' && name.endsWith('_bytes') ? name.slice(0, -6) : name);
}

// "2025-01-12T10:22:03Z" as "2025-01-12 10:22 UTC".
const dateText = (iso) =>
    /^.{10}T.{5}.*Z$/.test(iso) ? `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC` : iso;

// A figure that charts.js draws at its width; `caption` stands below, `name` is that of its file.
const drawnFigures = new Map();
function chartFigure({chart, name, title = '', caption = ''}, spec) {
  const figure = make(
      'figure', {class: 'chart', 'data-chart': chart ?? spec.kind, 'data-title': name ?? title},
      title && make('h4', {}, title), make('div', {class: 'picture'}),
      make('p', {class: 'reading'}), make('p', {class: 'note remark'}),
      caption && make('figcaption', {}, caption));
  drawnFigures.set(figure, spec);
  return figure;
}
