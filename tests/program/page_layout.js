// SPDX-License-Identifier: MIT
// Lists what a reader of the shown page would have trouble with: see page_layout.py.
(() => {
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const cut = (text) => text.trim().replace(/\s+/g, ' ').slice(0, 60);
  const channels = (colour) => colour.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
  const luminance = (rgb) =>
      rgb.slice(0, 3)
          .map((value) => value / 255)
          .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
          .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
  const over = (top, below, opacity = 1) => {
    const alpha = (top[3] ?? 1) * opacity;
    return [0, 1, 2].map((k) => alpha * top[k] + (1 - alpha) * below[k]);
  };

  // The colours behind an element of HTML, composed.
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      if (at instanceof SVGElement) continue;
      const style = getComputedStyle(at);
      const gradient = style.backgroundImage.match(/gradient\((rgba?\([^)]*\))/);  // a single colour
      if (gradient) layers.push(channels(gradient[1]));
      layers.push(channels(style.backgroundColor));
    }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
  };

  const opacity = (element) => {
    let product = 1;
    for (let at = element; at; at = at.parentElement) product *= Number(getComputedStyle(at).opacity);
    return product;
  };

  // The colours below a text of a drawing: the shapes drawn before it that contain its middle.
  const drawnBehind = (text, x, y) => {
    const svg = text.ownerSVGElement;
    let paper = behind(svg);
    for (const shape of all('rect, path, circle, polygon, image', svg)) {
      if (!(shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING)) break;
      const style = getComputedStyle(shape), box = shape.getBoundingClientRect();
      if (shape.tagName === 'image' || style.fill === 'none' || style.visibility === 'hidden') continue;
      if (x < box.left || x > box.right || y < box.top || y > box.bottom) continue;
      const place = new DOMPoint(x, y).matrixTransform(shape.getScreenCTM().inverse());
      if (shape.isPointInFill(place))
        paper = over(channels(style.fill), paper, Number(style.fillOpacity) * opacity(shape));
    }
    return paper;
  };

  // What scrolls sideways, or hides what is too wide, around an element.
  const scrolling = (element) => {
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement)
      if (getComputedStyle(at).overflowX !== 'visible') return at;
    return null;
  };

  const frame = (element) =>
      getComputedStyle(element).overflowX !== 'visible' ? element : scrolling(element);

  const shown = (element) => element.checkVisibility({checkOpacity: true, checkVisibilityCSS: true}) &&
      !element.closest('.offstage, defs, title, desc, style, script, noscript, option, textarea') &&
      !['STYLE', 'SCRIPT', 'TITLE'].includes(element.tagName);

  // Every line of every text, with the corners of its box. A turned text's box is turned with it.
  const lines = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || !shown(element)) continue;
    const svgText = element.closest('svg text');
    if (svgText) {
      const matrix = element.getScreenCTM(), box = element.getBBox();
      const corners = [[box.x, box.y], [box.x + box.width, box.y],
                       [box.x + box.width, box.y + box.height], [box.x, box.y + box.height]]
                          .map(([x, y]) => new DOMPoint(x, y).matrixTransform(matrix));
      const size = Math.hypot(matrix.c, matrix.d) * parseFloat(getComputedStyle(element).fontSize);
      lines.push({element, node, corners, size, svg: svgText.ownerSVGElement});
      continue;
    }
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects())
      if (box.width > 1)
        lines.push({element, node, size: parseFloat(getComputedStyle(element).fontSize), corners: [
          new DOMPoint(box.left, box.top), new DOMPoint(box.right, box.top),
          new DOMPoint(box.right, box.bottom), new DOMPoint(box.left, box.bottom)]});
  }

  const problems = [];
  const tell = (kind, text, more = '') => problems.push(`${kind}: ${cut(text)}${more && ` (${more})`}`);

  if (document.documentElement.scrollWidth > innerWidth)
    tell('the page is wider than the window', document.title,
         `${document.documentElement.scrollWidth} of ${innerWidth}`);
  for (const element of all('body *'))
    if (element.childElementCount === 0 && shown(element) && !scrolling(element) &&
        element.getBoundingClientRect().right > innerWidth + 1)
      tell('outside the window', element.textContent, element.tagName);

  for (const line of lines) {
    const style = getComputedStyle(line.element);
    const [xs, ys] = [line.corners.map((p) => p.x), line.corners.map((p) => p.y)];
    Object.assign(line, {left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys)});
    const middle = [(line.left + line.right) / 2, (line.top + line.bottom) / 2];
    const paper = line.svg ? drawnBehind(line.element, ...middle) : behind(line.element);
    const ink = line.svg ? over(channels(style.fill), paper, Number(style.fillOpacity) * opacity(line.element)) :
                           over(channels(style.color), paper, opacity(line.element));
    // Zeros of a matrix are shown below the pointer only.
    if (!line.svg && channels(style.color)[3] === 0) continue;
    // WCAG asks nothing of what cannot be used now.
    if (line.element.closest(':disabled')) continue;
    const lights = [luminance(ink), luminance(paper)];
    const contrast = (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05);
    const large = line.size >= 24 || (line.size >= 18.66 && Number(style.fontWeight) >= 700);
    if (contrast < (large ? 3 : 4.5) && !line.element.closest('.graph'))
      tell('faint', line.node.textContent,
           `${contrast.toFixed(2)}, ${style.color}, ${line.element.closest('[class]')?.getAttribute('class')}`);
    if (line.size < 9 && !line.element.closest('.graph'))
      tell('tiny', line.node.textContent, `${line.size.toFixed(1)} pixels`);
  }

  // Separating axes: two turned boxes are apart if they are so along a side's normal.
  const apart = (a, b) => [[a, 0], [a, 1], [b, 0], [b, 1]].some(([{corners}, k]) => {
    const nx = corners[k + 1].y - corners[k].y, ny = corners[k].x - corners[k + 1].x;
    const length = Math.hypot(nx, ny) || 1;
    const along = (line) => line.corners.map((p) => (p.x * nx + p.y * ny) / length);
    const [first, second] = [along(a), along(b)];
    const shared = Math.min(Math.max(...first), Math.max(...second)) -
        Math.max(Math.min(...first), Math.min(...second));
    // A line's box has room above and below its letters.
    return shared < 1 + 0.15 * Math.min(a.size, b.size);
  });
  const sticky = (element) => {
    for (let at = element; at; at = at.parentElement)
      if (['sticky', 'fixed'].includes(getComputedStyle(at).position)) return true;
    return false;
  };
  lines.sort((a, b) => a.top - b.top);
  for (let i = 0; i < lines.length; ++i)
    for (let j = i + 1; j < lines.length && lines[j].top < lines[i].bottom; ++j) {
      const [a, b] = [lines[i], lines[j]];
      if (a.node === b.node || a.right < b.left || b.right < a.left || apart(a, b)) continue;
      // What is scrolled out of a frame is not seen there.
      if (frame(a.element) !== frame(b.element) || sticky(a.element) !== sticky(b.element)) continue;
      tell('over each other', `${cut(a.node.textContent)} | ${cut(b.node.textContent)}`,
           a.element.closest('[class]')?.getAttribute('class'));
    }

  for (const svg of all('svg'))
    if (shown(svg) && !svg.parentElement.closest('svg') && !svg.closest('[aria-hidden=true]') &&
        !svg.getAttribute('aria-label') && !svg.getAttribute('aria-labelledby') &&
        ![...svg.children].some((child) => child.tagName === 'title' && child.textContent.trim()))
      tell('an svg without a name', svg.outerHTML.slice(0, 60));
  for (const image of all('img:not([alt]), canvas:not([aria-label]):not([aria-hidden=true])'))
    if (shown(image) && !image.closest('[aria-hidden=true]') && !image.title)
      tell('a picture without a name', image.outerHTML.slice(0, 60));
  for (const svg of all('svg.drawing text')) {
    if (!shown(svg)) continue;
    const own = svg.getBoundingClientRect(), around = svg.ownerSVGElement.getBoundingClientRect();
    if (own.left < around.left - 1 || own.right > around.right + 1 || own.top < around.top - 1 ||
        own.bottom > around.bottom + 1)
      tell('cut off', svg.textContent);
  }
  return [...new Set(problems)];
})()
