// Runs within a page in a browser, before the page's own scripts: uses the controls as a reader
// would and reports what happened. The page around the frame receives the verdict.
'use strict';
(() => {
  const verdict = {errors: [], downloads: []};
  addEventListener('error', (event) => verdict.errors.push(String(event.message)));
  addEventListener('securitypolicyviolation', (event) => verdict.errors.push(event.blockedURI));

  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const settled = () => new Promise((done) => setTimeout(done, 100));
  const column = (table, index) => all('tbody tr', table)
                                       .filter((row) => !row.hidden)
                                       .map((row) => row.cells[index].textContent.trim());

  function countCharts() {
    const charts = {};
    for (const svg of all('svg.drawing')) {
      const kind = [...svg.classList].find((name) => name !== 'drawing');
      charts[kind] = (charts[kind] ?? 0) + 1;
    }
    return charts;
  }

  function sortEveryColumn(table) {
    const heads = all('thead th', table);
    return heads.map((head, index) => {
      const button = head.querySelector('button');
      if (!button) return {head: ''};
      button.click();
      const first = {
        order: head.getAttribute('aria-sort'),
        cells: column(table, index),
        rows: column(table, 0)
      };
      button.click();
      const second = {order: head.getAttribute('aria-sort'), cells: column(table, index)};
      return {head: button.textContent, first, second, marked: all('[aria-sort]', table).length};
    });
  }

  function filterRows(table, text) {
    const input = table.closest('.scroll').previousElementSibling?.querySelector('input');
    if (!input) return null;
    input.value = text;
    input.dispatchEvent(new Event('input'));
    const found = {rows: column(table, 0).length, told: input.nextElementSibling.textContent};
    input.value = '';
    input.dispatchEvent(new Event('input'));
    return {...found, rowsAfter: column(table, 0).length};
  }

  async function download() {
    const blobs = [], names = [];
    URL.createObjectURL = (blob) => (blobs.push(blob), '#saved');
    URL.revokeObjectURL = () => {};
    HTMLAnchorElement.prototype.click = function() {
      names.push(this.download);
    };
    for (const button of all('.download:not([hidden])')) button.click();
    for (const [i, blob] of blobs.entries()) {
      const text = await blob.text();
      const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
      verdict.downloads.push({
        name: names[i],
        valid: !parsed.querySelector('parsererror') &&
            parsed.documentElement.namespaceURI === 'http://www.w3.org/2000/svg',
        elements: parsed.querySelectorAll('*').length,
        dependent: /var\(|class=|\sstyle=|http:\/\/(?!www\.w3\.org\/2000\/svg)/.test(
            text.replace(/<a [^>]*>/g, '')),
        strokes: [...parsed.querySelectorAll('path')]
                     .map((path) => path.getAttribute('stroke'))
                     .filter(Boolean),
      });
    }
    verdict.pictures =
        all('figure').filter((figure) => figure.querySelector('svg, table.heat')).length;
  }

  // The largest distance of a line's points from the straight line between its ends, in pixels.
  function bend(path) {
    const points =
        path.getAttribute('d').slice(1).split('L').map((pair) => pair.split(',').map(Number));
    const [[x0, y0], [x1, y1]] = [points[0], points[points.length - 1]];
    const off = ([x, y]) =>
        Math.abs((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) / Math.hypot(x1 - x0, y1 - y0);
    return {points: points.length, pixels: Math.max(...points.map(off))};
  }

  // Texts that extend beyond their drawing by more than a pixel, and so are cut.
  function cutTexts() {
    return all('svg.drawing text').filter((text) => {
      const own = text.getBoundingClientRect(), frame = text.ownerSVGElement.getBoundingClientRect();
      return own.left < frame.left - 1 || own.right > frame.right + 1 || own.top < frame.top - 1 ||
          own.bottom > frame.bottom + 1;
    }).map((text) => text.textContent);
  }

  const heatTitles = () => all('svg.heat rect title').map((title) => title.textContent);

  async function chooseHeat() {
    const boxes = all('[data-chart=study-heat] select');
    const before = heatTitles();
    const remark = document.querySelector('[data-chart=study-heat] .remark')?.textContent;
    if (boxes.length !== 2) return {boxes: boxes.length, before, remark};
    boxes[1].value = boxes[0].value;
    boxes[1].dispatchEvent(new Event('change'));
    await settled();
    return {boxes: 2, before, remark, swapped: heatTitles(), chosen: boxes.map((box) => box.value)};
  }

  async function chooseCurves() {
    const boxes = all('.choices input');
    const lines = () => all('[data-chart=study-curves] path.line').length;
    const counts = [lines()];
    for (const box of boxes.filter((each) => each.checked)) box.click();
    await settled();
    counts.push(lines());
    boxes[0]?.click();
    await settled();
    return {boxes: boxes.length, lines: [...counts, lines()]};
  }

  function readings() {
    return all('svg.lines').map((svg) => {
      const box = svg.getBoundingClientRect();
      const place = {clientX: box.left + box.width / 2, clientY: box.top + box.height / 2};
      svg.dispatchEvent(new PointerEvent('pointermove', place));
      return svg.closest('figure').querySelector('.reading').textContent;
    });
  }

  // Pixels per unit of an axis, and whether its ticks are there.
  function unitOf(axis) {
    const ticks = all('.tick', axis).map((tick) => ({
                                           value: Number(tick.textContent.replace('−', '-')),
                                           place: tick.getAttribute('transform').match(/[\d.]+/g),
                                         }));
    const along = axis.classList.contains('left') ? 1 : 0;
    const [first, last] = [ticks[0], ticks[ticks.length - 1]];
    return Math.abs((last.place[along] - first.place[along]) / (last.value - first.value));
  }

  // Counts, over places all over the plane, those that are not in exactly one region, and those where
  // another region is read, as in corners of cells that an outline cuts off.
  function disagreements(svg) {
    const view = svg.viewBox.baseVal, box = svg.getBoundingClientRect();
    const frame = svg.querySelector('.frame'), side = 13;
    const number = (name) => Number(frame.getAttribute(name));
    const wrong = {torn: 0, misread: 0};
    for (let i = 0; i < side * side; ++i) {
      const x = number('x') + number('width') * ((i % side) + 0.37) / side;
      const y = number('y') + number('height') * (Math.floor(i / side) + 0.41) / side;
      const place = Object.assign(svg.createSVGPoint(), {x, y});
      const inside = all('.region[d]', svg)
                         .filter((path) => path.parentNode.parentNode === svg)
                         .filter((path) => path.isPointInFill(place));
      svg.dispatchEvent(new PointerEvent('pointermove', {
        clientX: box.left + x * box.width / view.width,
        clientY: box.top + y * box.height / view.height,
      }));
      const read = svg.closest('figure').querySelector('.reading').textContent;
      const names = inside.map((path) => path.textContent);
      const told = read.replace(/; .*/, '').split(': ').pop();
      if (names.length !== 1)
        ++wrong.torn;
      else if (names[0] !== told)
        ++wrong.misread;
    }
    return wrong;
  }

  function planes() {
    return all('svg.plane').map((svg) => ({
                                  label: svg.getAttribute('aria-label'),
                                  width: svg.getBoundingClientRect().width,
                                  top: svg.getBoundingClientRect().top,
                                  x: unitOf(svg.querySelector('.axis.bottom')),
                                  y: unitOf(svg.querySelector('.axis.left')),
                                  disagreements: disagreements(svg),
                                  samples: all('svg > g > .sample', svg).length,
                                  marked: all('svg > g > .marked', svg).length,
                                  legend: all('.legend text', svg).map((text) => text.textContent),
                                  remark:
                                      svg.closest('figure').querySelector('.remark').textContent,
                                }));
  }

  async function examine() {
    await settled();
    verdict.width = innerWidth;
    verdict.charts = countCharts();
    verdict.undefinedPlaces =
        all('svg.drawing *')
            .filter(
                (element) => [...element.attributes].some(
                    (attribute) => /NaN|Infinity|undefined/.test(attribute.value)))
            .length;
    verdict.dots = all('svg.dots circle').length;
    verdict.repeatedNames = all('svg.dots').filter((svg) => {
                                              const names = all('g > text.end', svg)
                                                                .map((text) => text.textContent);
                                              return new Set(names).size < names.length;
                                            }).length;
    verdict.loneTicks =
        all('svg.dots .axis').filter((axis) => all('.tick', axis).length === 1).length;
    verdict.chosen = all('svg .chosen').length;
    verdict.references = all('svg line.reference').length;
    verdict.inside = all('svg .inside').map((text) => text.textContent);
    verdict.rankTicks = all('svg.ranks .tick text').map((text) => text.textContent);
    verdict.cells = await Promise.all(all('svg .cells').map(async (element) => {
      const image = new Image();
      image.src = element.getAttribute('href');
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }));
    verdict.cliques = all('svg.ranks .clique').length;
    verdict.ticks =
        all('svg.lines').map((svg) => all('.tick text', svg).map((text) => text.textContent));
    verdict.bends = all('svg.lines').map((svg) => bend(svg.querySelector('path.line')));
    verdict.readings = readings();
    verdict.planes = planes();
    verdict.cut = cutTexts();
    verdict.rowLabels =
        all('svg.heat text.end title').map((title) => title.parentNode.firstChild.textContent);
    const results = document.querySelector('table.results, table.numbers');
    if (results) {
      verdict.sorted = sortEveryColumn(results);
      verdict.filtered = filterRows(results, 'S1 BASELINE');
    }
    await download();
    verdict.heat = await chooseHeat();
    verdict.curves = await chooseCurves();
    for (const closed of all('details')) closed.open = true;
    await settled();
    verdict.overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    verdict.resources = performance.getEntriesByType('resource').length;
  }

  addEventListener(
      'load',
      () => examine()
                .catch((error) => verdict.errors.push(String(error.stack)))
                .finally(() => parent.postMessage(JSON.stringify(verdict), '*')));
})();
