// Explained samples, one below the other: the sample with its parts in the colours of their shares,
// bars of the shares of columns, and the strongest examples for and against with their drawings.

const mostShares = 12;

// What is explained, in the order of ExplainedSamples::Of, and what the colours say.
const explainedKinds = [
  ['speaks for the first class, the predicted one', 'for the second, the strongest other one'],
  ['raises the estimate', 'lowers it'],
  ['raises the score (more usual)', 'lowers it (more novel; below 0 is novel)']
];
const [ofClasses, ofNumbers, ofNovelty] = [0, 1, 2];

// Whether a drawing of an example says more than its name.
const worthDrawing = ({layout}) => !['vector', 'sparse', 'pair'].includes(layout);

function explainedCaption({name, label, predicted}, of) {
  const number = (text) => (text !== '' && Number.isFinite(Number(text)) ? minusText(Number(text), 6) : text);
  const start = strong(name);
  if (of === ofNumbers)
    return [start, `: ${label ? number(label) : 'an unknown number'} estimated as ${number(predicted)}`];
  if (of === ofNovelty) return [start, `${label && ': '}${label}, judged ${predicted}`];
  if (!label) return [start, `: taken for ${predicted}`];
  return label === predicted ? [start, `: ${label}, right`] :
                               [start, `: ${label} taken for `, strong(predicted)];
}

// The number that is explained, and the sum that it is.
function explainedValue({explanation, sample}, of) {
  const {explained, against, value, bias, examples = [], other_examples: others} = explanation;
  const count = examples.length + (others?.count ?? 0);
  let text = `${explained}${against ? ` against ${against}` : ''}: ` +
      `${explanation.difference_of_scores ? 'scores differ by' : 'value'} ${minusText(value)}`;
  if (count > 0)
    text += ` = bias ${minusText(bias)} ${signedText(value - bias)} of ${plural(count, 'example')}`;
  if (explanation.predicted && explanation.predicted !== sample.predicted)
    text += `. The solver itself predicts ${explanation.predicted}; the scores judged here are calibrated`;
  if (of === ofNovelty && (value < 0) !== (sample.predicted === 'novel'))
    text += '. The scores judged here are calibrated: their threshold is another one';
  return text + '.';
}

// One example of the sum, with its drawing: a text below its name, others beside it.
function exampleTerm({term, drawn}, largest, severalMaps) {
  const name = drawn?.name ??
      (term.training_sample === undefined ? `vector ${term.basis}` : `training sample ${term.training_sample}`);
  const picture = drawn && worthDrawing(drawn) && make('div', {class: 'sketch'}, samplePicture(drawn));
  const below = picture && drawn.layout === 'string';
  return make(
      'div', {class: picture && !below ? 'term with-sketch' : 'term'}, !below && picture,
      make('div', {},
           make('span', {class: 'name'}, name + (term.class ? `, ${term.class}` : ''),
                severalMaps && [' ', make('span', {class: 'map'}, term.map)]),
           below && picture,
           barOf(Math.abs(term.contribution) / largest, term.contribution < 0),
           make('span', {class: 'sum'}, make('b', {}, signedText(term.contribution)),
                ` = ${minusText(term.similarity, 3)} × ${minusText(term.weight, 3)}`)));
}

function exampleSums({explanation, drawn}) {
  const {examples = [], explained, against, other_examples: others} = explanation;
  if (!examples.length) return null;
  const terms = examples.map((term, k) => ({term, drawn: drawn[k]}));
  const largest = Math.max(...examples.map((term) => Math.abs(term.contribution))) || 1;
  const severalMaps = new Set(examples.map((term) => term.map)).size > 1;
  const side = (wanted, heading) => wanted.length > 0 && make(
      'div', {class: 'terms'}, make('h5', {}, heading),
      wanted.map((one) => exampleTerm(one, largest, severalMaps)));
  const raises = ({term}) => term.contribution >= 0;
  return [
    make('div', {class: 'both-sides'},
         side(terms.filter(raises), against ? `examples for ${explained}` : 'raise it'),
         side(terms.filter((one) => !raises(one)), against ? `examples for ${against}` : 'lower it')),
    others.count > 0 &&
        note(`${plural(others.count, 'other example')}: ${signedText(others.contribution)}. ` +
                 'A contribution is similarity × weight.')
  ];
}

function shareRow({name, value, share, error}, largest) {
  const part = 50 * Math.abs(share) / largest, left = share >= 0 ? 50 : 50 - part;
  return make(
      'div', {class: 'share-row'},
      make('span', {class: 'name'}, name,
           value !== undefined && [' ', make('span', {class: 'value'}, minusText(value))]),
      make('span', {class: 'diverging'}, make('i', {
             class: share >= 0 ? 'for' : 'against',
             style: `left:${left.toFixed(2)}%;width:${part.toFixed(2)}%`
           })),
      make('span', {class: 'number', title: error > 0 && `standard error ${quantityText(error, 2)}`},
           signedText(share)));
}

// The largest shares, and the sum of the others.
function shareRows({of, others}) {
  const sorted = [...of].sort((a, b) => Math.abs(b.share) - Math.abs(a.share));
  const shown = sorted.slice(0, mostShares), left = sorted.slice(mostShares);
  const count = left.length + (others?.count ?? 0);
  const sum = left.reduce((total, part) => total + part.share, others?.share ?? 0);
  return make(
      'div', {class: 'shares'},
      shown.map((part) => shareRow(part, Math.abs(sorted[0].share) || 1)),
      count > 0 && make('div', {class: 'share-row rest'},
                        make('span', {class: 'name'}, plural(count, 'other')), make('span'),
                        make('span', {class: 'number'}, signedText(sum))));
}

function sharesOf(shares, coloured) {
  if (shares.none !== undefined) return note(`No shares of columns: ${shares.none}.`);
  const what = note(
      `Shapley values${shares.method === 'sampled' ? ', sampled' : ''}: how the value differs from ` +
      `the mean of ${countText(shares.background)} samples, ${minusText(shares.expected)}.`);
  const rows = shareRows(shares);
  return coloured ? [what, folded('The largest shares', rows)] :
                    [make('h5', {}, 'shares of columns'), rows, what];
}

function explainedArticle(entry, list) {
  const {sample, explanation} = entry;
  const coloured = colouredSample(sample, list, explanation.shares.of ?? []);
  const plain = isPicture(sample) || (!coloured && worthDrawing(sample));
  const pictures = [plain && samplePicture(sample), coloured].filter(Boolean);
  const judged = list.of === ofClasses && sample.label !== '';
  const verdict = !judged ? '' : isRight(sample) ? ' is-right' : ' is-wrong';
  return make(
      'article', {class: `explained${verdict}`},
      make('h5', {class: 'what'}, explainedCaption(sample, list.of)),
      make('p', {class: 'summary'}, explainedValue(entry, list.of)),
      make('div', {class: 'why'},
           make('div', {class: 'parts'},
                pictures.length > 0 && make('div', {class: 'pictures'}, pictures),
                sharesOf(explanation.shares, coloured)),
           make('div', {class: 'sums'}, exampleSums(entry))));
}

function explainedSamples(list) {
  if (!list.entries.length) return null;
  const [hit, miss] = explainedKinds[list.of];
  const key = (style) => make('span', {class: `key ${style}`});
  return [
    make('h4', {}, wordsOf(list.name)),
    make('p', {class: 'summary'}, key('hit'), `${hit}, `, key('miss'), `${miss}; `,
         'the stronger the colour, the larger the share.'),
    list.entries.map((entry) => explainedArticle(entry, list))
  ];
}
