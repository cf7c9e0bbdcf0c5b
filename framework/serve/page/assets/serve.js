const most_shown = 100;
const most_classes = 20;
let model = null;

/** Text from a model or a file is set as textContent, never parsed as HTML. */
function made(name, text, type) {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  if (type) element.className = type;
  return element;
}

const byId = (id) => document.getElementById(id);

function tell(problem) {
  byId("problem").textContent = problem;
  byId("problem").hidden = !problem;
}

/** Sends rows and shows the answer, without the nearest bases if there are many rows. */
async function predict(body, type, nearest) {
  tell("");
  byId("state").textContent = "Waiting for the scores ...";
  try {
    const wanted = nearest && model.similarity_maps.length > 0;
    const answer = await fetch("predict" + (wanted ? "?nearest=5" : ""),
      {method: "POST", headers: {"Content-Type": type, "Accept": "application/json"}, body});
    const found = await answer.json();
    if (!answer.ok) {
      if (wanted && found.error.startsWith("nearest bases")) return predict(body, type, false);
      throw new Error(found.error);
    }
    show(found.predictions);
  } catch (problem) {
    byId("state").textContent = "";
    byId("answers").replaceChildren();
    tell(problem.message);
  }
}

function bar(share) {
  const outer = made("dd", undefined, "bar");
  outer.setAttribute("aria-hidden", "true");
  const inner = made("i");
  inner.style.width = `${Math.max(0, Math.min(100, 100 * share))}%`;
  outer.append(inner);
  return outer;
}

function scores(prediction) {
  const list = made("dl", undefined, "scores");
  const text = (value) => value === null ? "none" : String(value);
  for (const [name, value] of Object.entries(prediction.estimates ?? {})) {
    const ends = prediction.intervals?.[name];
    list.append(made("dt", name, "best"), bar(0),
      made("dd", ends ? `${text(value)}, from ${text(ends[0])} to ${text(ends[1])}` : text(value)));
  }
  if (prediction.set)
    list.append(made("dt", "set", "best"), bar(0), made("dd", prediction.set.join(", ") || "empty"));
  if ("novel" in prediction)
    list.append(made("dt", prediction.novel ? "novel" : "usual", "best"), bar(0),
      made("dd", prediction.score === null ? "none" : prediction.score.toPrecision(5)));
  if (!prediction.scores) return list;
  const all = Object.entries(prediction.scores).sort((a, b) => b[1] - a[1]);
  const high = all[0][1], low = all[all.length - 1][1];
  for (const [name, score] of all.slice(0, most_classes)) {
    list.append(made("dt", name, name === prediction.class ? "best" : ""),
      bar(high > low ? (score - low) / (high - low) : 1),
      made("dd", score === null ? "none" : score.toPrecision(5)));
  }
  return list;
}

const of_pictures = (layout) => layout.kind === "image" && (layout.depth === 1 || layout.depth === 3);

/** The smallest value becomes black and the largest white. */
function draw(canvas, layout, values) {
  canvas.width = layout.width;
  canvas.height = layout.height;
  const count = layout.width * layout.height;
  const low = Math.min(...values), high = Math.max(...values);
  const context = canvas.getContext("2d");
  const picture = context.createImageData(layout.width, layout.height);
  for (let p = 0; p < count; ++p) {
    for (let c = 0; c < 3; ++c) {
      const value = values[layout.depth === 3 ? c * count + p : p];
      picture.data[4 * p + c] = high > low ? 255 * (value - low) / (high - low) : 128;
    }
    picture.data[4 * p + 3] = 255;
  }
  context.putImageData(picture, 0, 0);
}

/** Draws a basis as its map sees it; removes the canvas if the model does not store the basis. */
async function draw_basis(canvas, basis) {
  const query = new URLSearchParams({map: basis.map, basis: basis.basis});
  const answer = await fetch(`basis?${query}`).catch(() => null);
  if (!answer || !answer.ok) return canvas.remove();
  const found = await answer.json();
  draw(canvas, found.layout, found.values);
  canvas.dataset.drawn = "yes";
}

function nearest(bases) {
  const section = made("div");
  const pictured = new Set(model.similarity_maps.filter((map) => of_pictures(map.layout)).map((map) => map.name));
  section.append(made("p", "Most similar bases, by their rows in the training data, counted from 0. " +
    (pictured.size > 0 ? "They are drawn as the similarity map sees them."
      : "They are not drawn, as the similarity map does not compare pictures."), "note"));
  const table = made("table", undefined, "nearest-bases");
  const head = table.createTHead().insertRow();
  for (const title of ["map", "training row", "similarity"]) {
    const cell = made("th", title);
    cell.scope = "col";
    head.append(cell);
  }
  const rows = table.createTBody();
  for (const basis of bases) {
    const row = rows.insertRow();
    row.append(made("td", basis.map), made("td", String(basis.row)),
      made("td", basis.similarity === null ? "none" : basis.similarity.toPrecision(5)));
    if (!pictured.has(basis.map)) continue;
    const canvas = made("canvas", undefined, "basis");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `training row ${basis.row}`);
    const cell = made("td");
    cell.append(canvas);
    row.append(cell);
    draw_basis(canvas, basis);
  }
  section.append(table);
  return section;
}

function show(predictions) {
  const shown = predictions.slice(0, most_shown).map((prediction, i) => {
    const item = made("li");
    const title = made("h3", predictions.length > 1 ? `Row ${i + 1}: ` : "");
    title.append(made("span", prediction.class ?? (prediction.estimates ? String(Object.values(prediction.estimates)[0]) : prediction.novel ? "novel" : "usual"), "class"));
    item.append(title, scores(prediction));
    if (prediction.nearest && prediction.nearest.length > 0)
      item.append(nearest(prediction.nearest));
    return item;
  });
  byId("answers").replaceChildren(...shown);
  byId("state").textContent = predictions.length > most_shown
    ? `${predictions.length} rows; the first ${most_shown} are shown.`
    : `${predictions.length} row${predictions.length === 1 ? "" : "s"}.`;
}

/** The pixels of a picture, scaled to a row's size: red, green, blue and alpha, 0 to 255. */
function pixels(source, width, height) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d", {willReadFrequently: true});
  context.drawImage(source, 0, 0, width, height);
  return context.getImageData(0, 0, width, height).data;
}

function row_of_pixels(data, channels) {
  const count = data.length / 4;
  const row = new Array(count * channels);
  for (let p = 0; p < count; ++p) {
    const [red, green, blue] = [data[4 * p], data[4 * p + 1], data[4 * p + 2]];
    if (channels === 1) {
      row[p] = Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
    } else {
      row[p] = red;
      row[count + p] = green;
      row[2 * count + p] = blue;
    }
  }
  return row;
}

const is_picture = () => of_pictures(model.layout);

function predict_pixels(source) {
  const {width, height, depth} = model.layout;
  predict(JSON.stringify({rows: [row_of_pixels(pixels(source, width, height), depth)]}),
    "application/json", true);
}

async function take_file(file) {
  tell("");
  const name = file.name.toLowerCase();
  if (name.endsWith(".csv") || file.type === "text/csv") return predict(file, "text/csv", true);
  if (!file.type.startsWith("image/"))
    return tell(`${file.name} is neither a table (.csv) nor a picture.`);
  if (!is_picture())
    return tell(`The model takes no pictures, but rows that are each: ${model.layout.description}.`);
  try {
    predict_pixels(await createImageBitmap(file));
  } catch (problem) {
    tell(`${file.name} cannot be read as a picture: ${problem.message}`);
  }
}

function prepare_drop() {
  const place = byId("drop");
  for (const event of ["dragenter", "dragover"])
    place.addEventListener(event, (e) => { e.preventDefault(); place.classList.add("over"); });
  for (const event of ["dragleave", "drop"])
    place.addEventListener(event, () => place.classList.remove("over"));
  place.addEventListener("drop", (e) => {
    e.preventDefault();
    if (e.dataTransfer.files.length > 0) take_file(e.dataTransfer.files[0]);
  });
  byId("file").addEventListener("change", (e) => {
    if (e.target.files.length > 0) take_file(e.target.files[0]);
    e.target.value = "";
  });
}

/** Scales and centres strokes as MNIST does: 20 of 28 pixels, around the centre of mass. */
function centred(pad) {
  const data = pixels(pad, pad.width, pad.height);
  let left = pad.width, right = -1, top = pad.height, bottom = -1, mass = 0, x = 0, y = 0;
  for (let i = 0; i < data.length / 4; ++i) {
    const ink = data[4 * i], column = i % pad.width, line = Math.floor(i / pad.width);
    if (ink === 0) continue;
    left = Math.min(left, column);
    right = Math.max(right, column);
    top = Math.min(top, line);
    bottom = Math.max(bottom, line);
    mass += ink;
    x += ink * column;
    y += ink * line;
  }
  if (right < 0) return null;
  const scale = (20 / 28) * pad.width / Math.max(right - left + 1, bottom - top + 1);
  const canvas = document.createElement("canvas");
  canvas.width = pad.width;
  canvas.height = pad.height;
  const context = canvas.getContext("2d");
  context.fillStyle = "#000";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.translate(canvas.width / 2 - scale * x / mass, canvas.height / 2 - scale * y / mass);
  context.scale(scale, scale);
  context.drawImage(pad, 0, 0);
  return canvas;
}

function prepare_pad() {
  const pad = byId("pad");
  pad.width = pad.height = 280;
  const context = pad.getContext("2d", {willReadFrequently: true});
  const clear = () => {
    context.fillStyle = "#000";
    context.fillRect(0, 0, pad.width, pad.height);
  };
  clear();
  context.strokeStyle = "#fff";
  context.lineWidth = 22;
  context.lineCap = context.lineJoin = "round";
  let drawing = false;
  const at = (e) => {
    const box = pad.getBoundingClientRect();
    return [(e.clientX - box.left) * pad.width / box.width, (e.clientY - box.top) * pad.height / box.height];
  };
  pad.addEventListener("pointerdown", (e) => {
    drawing = true;
    pad.setPointerCapture(e.pointerId);
    context.beginPath();
    context.moveTo(...at(e));
    context.lineTo(...at(e));
    context.stroke();
  });
  pad.addEventListener("pointermove", (e) => {
    if (!drawing) return;
    context.lineTo(...at(e));
    context.stroke();
  });
  pad.addEventListener("pointerup", () => {
    drawing = false;
    classify();
  });
  const classify = () => {
    const drawn = centred(pad);
    if (drawn) predict_pixels(drawn);
    else tell("Nothing is drawn yet.");
  };
  byId("classify").addEventListener("click", classify);
  byId("clear").addEventListener("click", () => {
    clear();
    tell("");
    byId("answers").replaceChildren();
    byId("state").textContent = "";
  });
  byId("drawing").hidden = false;
}

function describe() {
  byId("title").textContent = model.model;
  document.title = `${model.model} · Semblance`;
  const predicted = model.targets.length > 0 ? `predicts ${model.targets.join(", ")}`
    : model.gives !== "novelty" ? `${model.classes.length} classes` : "recognizes novel rows";
  byId("facts").append(made("span", predicted), " ",
    made("span", `each row: ${model.layout.description}`), " ",
    made("span", `${model.gives} of ${model.node}`));
  const columns = model.columns.length > 0
    ? `Columns: ${model.columns.slice(0, 40).join(", ")}${model.columns.length > 40 ? ", ..." : ""}.`
    : "";
  byId("hint").textContent = model.text
    ? `Each line is a row: its ${model.text}.`
    : model.layout.kind === "pair"
    ? `The names of two samples, separated by a comma; one pair per line, with or without a line of names. ${columns}`
    : `${model.layout.values} values, separated by commas; one row per line, with or without a line of names. ${columns}`;
  byId("pipeline").textContent = model.pipeline;
}

async function start() {
  try {
    const answer = await fetch("model");
    model = await answer.json();
  } catch (problem) {
    return tell(`The model cannot be asked for: ${problem.message}`);
  }
  describe();
  prepare_drop();
  byId("send").addEventListener("click", () => predict(byId("row").value, "text/csv", true));
  if (model.layout.kind === "image" && model.layout.depth === 1) prepare_pad();
  byId("try").hidden = false;
}

start();
