// SPDX-License-Identifier: MIT
#include "runtime/trained/trained.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "bindings.hpp"
#include "catalogue.hpp"
#include "checked.hpp"
#include "errors.hpp"
#include "held_data.hpp"
#include "interruptible.hpp"
#include "layouts.hpp"
#include "report/drawings/explanation_json.hpp"
#include "report/metrics.hpp"
#include "rows.hpp"
#include "runtime/explain/given_samples.hpp"
#include "settings.hpp"

namespace semblance::python {
namespace {

namespace py = pybind11;

/// Takes the values without a copy: an array; (values, offsets) where rows differ in size; (values,
/// offsets, columns) where they are sparse.
py::object array_of(FloatMatrix&& matrix) {
  auto* kept = new FloatMatrix(std::move(matrix));
  const py::capsule base(kept, [](void* p) { delete static_cast<FloatMatrix*>(p); });
  if (kept->offsets.empty())
    return py::array_t<float>({kept->rows, kept->cols}, kept->values.data(), base);
  const py::array_t<float> values(static_cast<py::ssize_t>(kept->values.size()),
                                  kept->values.data(), base);
  const py::array_t<std::uint64_t> offsets(static_cast<py::ssize_t>(kept->offsets.size()),
                                           kept->offsets.data(), base);
  if (!kept->is_sparse) return py::make_tuple(values, offsets);
  const py::array_t<std::uint32_t> columns(static_cast<py::ssize_t>(kept->columns.size()),
                                           kept->columns.data(), base);
  return py::make_tuple(values, offsets, columns);
}

/// Raises ValueError where the rows are laid out otherwise than those that the model was trained
/// on: the same numbers would mean something else. Series, strings, sets and graphs may be larger;
/// a sparse vector has the same columns.
void check_layout(const Trained& model, const std::string& node, const ArrayRows& rows) {
  const Layout& trained = model.input_layout(node);
  Layout given = rows.layout();
  if (trained.ragged() && trained.kind != LayoutKind::sparse) given.width = trained.width;
  if (given.kind == LayoutKind::graph) {
    given.shape.nodes = trained.shape.nodes;
    given.shape.edges = trained.shape.edges;
  }
  if (given == trained) return;
  const bool alphabets = given.kind == LayoutKind::string && given.kind == trained.kind;
  throw py::value_error("the rows are each a " + describe(rows.layout()) + ", and '" + node +
                        "' was trained on rows that are each a " + describe(trained) +
                        (alphabets ? " of another alphabet" : ""));
}

/// Issues what components warned of while they computed rows.
void pass_on_warnings(const Trained& model) {
  for (const std::string& line : model.later_warnings()) warn(line);
}

py::object apply(const Trained& model, const std::string& node, const ArrayRows& rows) {
  check_layout(model, node, rows);
  const MatrixView in = rows.view();
  FloatMatrix result;
  run_call(model.expected_seconds(node, in),
           [&](const std::atomic<bool>& cancel) { result = model.apply(node, in, &cancel); });
  pass_on_warnings(model);
  return array_of(std::move(result));
}

using Pairs = py::array_t<std::int64_t, py::array::c_style>;

py::array_t<double> apply_pairs(const Trained& model, const std::string& node,
                                const ArrayRows& rows, const Pairs& pairs) {
  if (pairs.ndim() != 2 || pairs.shape(1) != 2)
    throw py::value_error("pairs must be an array of shape (n, 2): the rows of each pair");
  check_layout(model, node, rows);
  std::vector<std::pair<std::int64_t, std::int64_t>> list(static_cast<std::size_t>(pairs.shape(0)));
  const auto count = static_cast<std::int64_t>(rows.view().rows);
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i] = {pairs.data()[2 * i], pairs.data()[2 * i + 1]};
    for (const std::int64_t row : {list[i].first, list[i].second})
      if (row < 0 || row >= count)
        throw py::value_error("pair " + std::to_string(i) + " names row " + std::to_string(row) +
                              "; there are " + std::to_string(count) + " rows");
  }
  std::vector<double> scores;
  run_call(std::numeric_limits<double>::infinity(), [&](const std::atomic<bool>& cancel) {
    const auto found = model.apply_pairs(node, rows.view(), list, &cancel);
    scores.assign(found.begin(), found.end());
  });
  pass_on_warnings(model);
  return py::array_t<double>(static_cast<py::ssize_t>(scores.size()), scores.data());
}

py::array_t<double> decisions(const Trained& model, const std::string& node,
                              const ArrayRows& rows) {
  check_layout(model, node, rows);
  std::vector<double> values;
  run_call(std::numeric_limits<double>::infinity(), [&](const std::atomic<bool>& cancel) {
    values = model.decisions(node, rows.view(), &cancel);
  });
  pass_on_warnings(model);
  const std::size_t count = rows.view().rows;
  return py::array_t<double>({count, count ? values.size() / count : 0}, values.data());
}

/// A state as a dict of numbers, texts and arrays; rows that differ in size are (values, offsets),
/// sparse ones (values, offsets, columns).
class DictWriter final : public StateWriter {
 public:
  void integer(std::string_view name, std::int64_t value) override { put(name, py::int_(value)); }
  void number(std::string_view name, double value) override { put(name, py::float_(value)); }
  void text(std::string_view name, std::string_view value) override {
    put(name, py::str(value.data(), value.size()));
  }
  void floats(std::string_view name, MatrixView values) override {
    put(name, array_of(FloatMatrix(values)));
  }
  void doubles(std::string_view name, std::span<const double> values) override {
    put(name, py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data()));
  }
  void integers(std::string_view name, std::span<const std::int64_t> values) override {
    put(name, py::array_t<std::int64_t>(static_cast<py::ssize_t>(values.size()), values.data()));
  }

  py::dict state;

 private:
  void put(std::string_view name, const py::object& value) {
    state[py::str(name.data(), name.size())] = value;
  }
};

py::dict state(const Trained& model, const std::string& node) {
  DictWriter writer;
  model.write_state(node, writer);
  return writer.state;
}

py::array_t<std::int64_t> vector_rows(const Trained& model, const std::string& node) {
  const auto rows = model.vector_rows(node);
  const std::vector<std::int64_t> wide(rows.begin(), rows.end());
  return py::array_t<std::int64_t>(static_cast<py::ssize_t>(wide.size()), wide.data());
}

py::array_t<std::int64_t> chosen_rows(const Trained& model, const std::string& bases) {
  const std::vector<std::int64_t> rows = model.chosen_rows(bases);
  return py::array_t<std::int64_t>(static_cast<py::ssize_t>(rows.size()), rows.data());
}

std::unique_ptr<Trained> train(const std::string& text, const std::string& file,
                               const py::object& data, const std::vector<std::string>& overrides,
                               const py::dict& options, const py::object& progress) {
  using Clock = std::chrono::steady_clock;
  Request asked = request(text, file, data, overrides, options);
  Settings& settings = asked.settings;
  settings.check.needs_result = false;
  Sound sound = checked_pipeline(text, file, data, asked);
  const std::size_t rows = py::isinstance<HeldData>(data)
                               ? py::cast<const HeldData&>(data).dataset->outline().train_rows
                               : 1;
  const double expected = sound.last->expected(rows);
  constexpr double brief = 0.001;
  settings.run.brief = expected < brief;
  Interruptible call;
  attach(call, settings, progress);
  std::unique_ptr<Trained> trained;
  const auto begin = Clock::now();
  try {
    run_interruptibly(
        call,
        [&] { trained = Trained::train(std::move(sound.pipeline), asked.catalogue, settings.run); },
        expected);
  } catch (const Cancelled&) {
    if (call.interrupted || !settings.run.deadline) throw;
    throw StoppedEarly("the deadline came before there was anything to keep; give it more time");
  }
  *sound.last = {std::chrono::duration<double>(Clock::now() - begin).count(), rows};
  return trained;
}

/// Pairs of names as rows of a pair's layout: (values, offsets).
py::object rows_of_names(const NamedPairs& pairs,
                         const std::vector<std::pair<std::string, std::string>>& names) {
  std::vector<std::array<std::uint32_t, 2>> places;
  places.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto place = [&](Side side, const std::string& of) {
      try {
        return pairs.find(side, of);
      } catch (const Error& problem) {
        throw py::value_error("pair " + std::to_string(i) + " of X: column '" + pairs.column(side) +
                              "' " + problem.what());
      }
    };
    places.push_back({place(Side::first, names[i].first), place(Side::second, names[i].second)});
  }
  return array_of(pairs.rows(places));
}

/// One dict per chosen row, as `semblance explain --json` has it. They are compared with the
/// background, or with at most `count` of all rows.
py::object explain(const Trained& model, const std::string& node, const ArrayRows& rows,
                   const std::vector<std::size_t>& chosen, const ArrayRows* background,
                   std::size_t count, const std::string& of_class, const std::string& target,
                   std::size_t top, std::optional<std::uint64_t> seed) {
  check_layout(model, node, rows);
  if (background) check_layout(model, node, *background);
  ExplainOptions options{.of_class = of_class, .target = target};
  options.shares = background || count > 0;
  options.seed = seed.value_or(options.seed);
  std::vector<Explanation> made;
  run_call(std::numeric_limits<double>::infinity(), [&](const std::atomic<bool>& cancel) {
    if (!background) {
      made = model.explain(node, rows.view(), chosen, count, seed, options, &cancel);
      return;
    }
    const FloatMatrix some = samples_at(rows.layout(), rows.view(), chosen);
    made = model.explain(node, some.view(), background->view(), options, &cancel);
  });
  pass_on_warnings(model);
  auto list = nlohmann::ordered_json::array();
  for (const Explanation& each : made) list.push_back(explanation_to_json(each, top));
  return as_python(list);
}

std::unique_ptr<Trained> load(const Folder& folder, const py::dict& options) {
  Settings settings = settings_from(options);
  settings.run.on_log = [](LogLevel, const std::string&) {};  // warnings are issued below
  const auto known = catalogue();
  std::unique_ptr<Trained> model;
  {
    const py::gil_scoped_release released;
    model = Trained::load(folder, known, settings.run, settings.check);
  }
  for (const std::string& line : model->record().warnings) warn(line);
  return model;
}

std::unique_ptr<Trained> load_files(const py::dict& files, const py::dict& options) {
  const auto contents = std::make_shared<Folder::Contents>();
  for (const auto& [name, content] : files)
    contents->emplace(py::cast<std::string>(name), py::cast<std::string>(content));
  return load(Folder(contents, "packed model"), options);
}

py::dict files_of(const Trained& model, bool with_reports) {
  Folder::Contents contents;
  {
    const py::gil_scoped_release released;
    contents = model.files(with_reports);
  }
  py::dict files;
  while (!contents.empty()) {  // a large model is not there twice
    const auto file = contents.extract(contents.begin());
    files[py::str(file.key())] = py::bytes(file.mapped());
  }
  return files;
}

}  // namespace

void add_trained(py::module_& module) {
  py::class_<NamedPairs>(module, "NamedPairs", "The samples that pairs are made of, by name.")
      .def_property_readonly("columns",
                             [](const NamedPairs& pairs) {
                               return py::make_tuple(pairs.column(Side::first),
                                                     pairs.column(Side::second));
                             })
      .def("rows", &rows_of_names, py::arg("names"));
  py::class_<Trained>(module, "Trained", "A pipeline whose nodes have learned, in memory.")
      .def("apply", &apply, py::arg("node"), py::arg("rows"),
           "The node's rows for rows of its source: (n, k) float32, (values, offsets) where they\n"
           "differ in size, or (values, offsets, columns) where they are sparse.")
      .def("apply_pairs", &apply_pairs, py::arg("node"), py::arg("rows"), py::arg("pairs"))
      .def("decisions", &decisions, py::arg("node"), py::arg("rows"),
           "The values of a kernel machine's functions, (n, functions) float64.")
      .def("explain", &explain, py::arg("node"), py::arg("rows"), py::arg("chosen"),
           py::arg("background"), py::arg("count"), py::arg("of_class"), py::arg("target"),
           py::arg("top"), py::arg("seed"),
           "Why the node's machine gives its results: one dict per row.")
      .def("vector_rows", &vector_rows, py::arg("node"),
           "The training rows that a kernel machine compares with; none where it was loaded.")
      .def("chosen_rows", &chosen_rows, py::arg("bases"),
           "The training rows that a node of bases has chosen; none where it was loaded.")
      .def("use_cost", &Trained::use_cost, py::arg("node"), py::arg("number"),
           "Uses the machine of one of the costs that a node has learned one for.")
      .def("state", &state, py::arg("node"), "What a node has learned, by name.")
      .def_property_readonly("nodes", &Trained::nodes)
      .def_property_readonly("scoring_node", &Trained::scoring_node)
      .def("gives_probabilities", &Trained::gives_probabilities)
      .def("output_type", [](const Trained& model,
                             const std::string& node) { return name(model.output_type(node)); })
      .def("named_pairs", &Trained::named_pairs, py::arg("node"),
           py::call_guard<py::gil_scoped_release>(),
           "Reads the samples of pairs; None where the node's source names no pairs.")
      .def("classes", &Trained::classes, py::arg("node"))
      .def("columns", &Trained::columns, py::arg("node"))
      .def("input_layout",
           [](const Trained& model, const std::string& node) {
             return layout_dict(model.input_layout(node));
           })
      .def(
          "keeps_missing",
          [](const Trained& model, const std::string& node) {
            return model.source(node).keeps_missing();
          },
          py::arg("node"), "Whether rows of its source may have missing values (NaN).")
      .def("output_layout",
           [](const Trained& model, const std::string& node) {
             return layout_dict(model.output_layout(node));
           })
      .def(
          "figures", [](const Trained& model) { return as_python(nodes_json(model.record())); },
          "The figures of each node, as metrics() has them.")
      .def_property_readonly("warnings",
                             [](const Trained& model) { return model.record().warnings; })
      .def_property_readonly("stopped_by", &Trained::stopped_by)
      .def(
          "save", [](const Trained& model, const std::string& folder) { model.save(folder); },
          py::call_guard<py::gil_scoped_release>())
      .def("files", &files_of, py::arg("with_reports") = true,
           "The files that save() writes, {path: bytes}; perhaps without what solvers reported.")
      .def_static("from_files", &load_files, py::arg("files"), py::arg("options") = py::dict())
      .def_static(
          "load",
          [](const std::string& folder, const py::dict& options) {
            return load(std::filesystem::path(folder), options);
          },
          py::arg("folder"), py::arg("options") = py::dict());
  module.def("train", &train, py::arg("pipeline"), py::arg("file_name"), py::arg("data"),
             py::arg("overrides") = std::vector<std::string>(), py::arg("options") = py::dict(),
             py::arg("progress") = py::none());
}

}  // namespace semblance::python
