// Pictures as files: a self-contained SVG with the page's light colours written into it.

const svgName = 'http://www.w3.org/2000/svg';
const inlined =
    ('fill fill-opacity fill-rule stroke stroke-opacity stroke-width stroke-dasharray ' +
     'stroke-dashoffset stroke-miterlimit stroke-linejoin stroke-linecap opacity ' +
     'font-family font-size font-weight font-style text-anchor dominant-baseline ' +
     'image-rendering').split(' ');

function writeStylesInto(copy) {
  // The page may be dark; a figure for a paper is light.
  const holder = make('div', {class: 'light offstage'}, copy);
  document.body.append(holder);
  for (const element of copy.querySelectorAll('*')) {
    const style = getComputedStyle(element);
    const text = element.tagName === 'text' || element.tagName === 'tspan';
    for (const name of inlined) {
      if (!text && name.startsWith('font')) continue;
      const value = style.getPropertyValue(name);
      if (value && !(name === 'stroke-dasharray' && value === 'none'))
        element.setAttribute(name, value);
    }
  }
  for (const element of copy.querySelectorAll('[class],[style]')) {
    element.removeAttribute('class');
    element.removeAttribute('style');
  }
  holder.remove();
}

function standaloneSvg(svg) {
  const copy = svg.cloneNode(true);
  for (const passing of copy.querySelectorAll('.hover')) passing.remove();
  // Graphviz's drawings contain all of their colours.
  if (!svg.closest('.graph')) writeStylesInto(copy);
  copy.setAttribute('xmlns', svgName);
  copy.removeAttribute('class');
  copy.removeAttribute('style');
  return '<?xml version="1.0" encoding="UTF-8"?>\n' + new XMLSerializer().serializeToString(copy);
}

function save(text, name) {
  const address = URL.createObjectURL(new Blob([text], {type: 'image/svg+xml'}));
  make('a', {href: address, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

function fileName(title) {
  const plain = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_').replace(/^_+|_+$/g, '');
  return (plain || 'picture') + '.svg';
}

function textButton(label, action) {
  const button = make('button', {type: 'button', class: 'plain'}, label);
  button.addEventListener('click', action);
  return button;
}

// The line below a figure's picture: its buttons, and the values under the pointer.
function toolsOf(figure) {
  let tools = figure.querySelector(':scope > .tools');
  if (!tools) {
    tools = make('div', {class: 'tools'});
    (figure.querySelector(':scope > .picture') ?? figure.lastElementChild).after(tools);
    const reading = figure.querySelector(':scope > .reading');
    if (reading) tools.append(reading);
  }
  return tools;
}

// `picture` returns the SVG element and is called only for a download.
function offerDownload(figure, picture) {
  const button = textButton('Download SVG', () => {
    save(standaloneSvg(picture()), fileName(figure.dataset.title ?? ''));
  });
  button.classList.add('download');
  toolsOf(figure).prepend(button);
}

// A large graph is scaled to the page; a button shows it at its own size.
function prepareGraphs() {
  for (const figure of document.querySelectorAll('figure.graph')) {
    const svg = figure.querySelector('svg');
    if (!svg) continue;
    offerDownload(figure, () => svg);
    const natural = svg.viewBox.baseVal?.width ?? 0;
    const resize = textButton('Actual size', () => {
      const large = figure.classList.toggle('actual');
      resize.textContent = large ? 'Fit the page' : 'Actual size';
      resize.setAttribute('aria-pressed', String(large));
    });
    if (natural > svg.clientWidth) toolsOf(figure).append(resize);
  }
}
