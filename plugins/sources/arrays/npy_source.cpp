// SPDX-License-Identifier: MIT
#include "arrays/npy_source.hpp"

#include <cmath>
#include <optional>

#include "memory_limit.hpp"
#include "semblance/parameters.hpp"
#include "target_numbers.hpp"
#include "text_values.hpp"

namespace semblance::sources {
namespace {

/// (row, column, channel) to (channel, row, column), for all images from value `first` on.
template <class T>
void make_planar(const Layout& layout, std::size_t first, std::vector<T>& values) {
  const std::size_t pixels = layout.height * layout.width, channels = layout.depth;
  std::vector<T> image(layout.size());
  for (std::size_t at = first; at < values.size(); at += image.size()) {
    for (std::size_t p = 0; p < pixels; ++p)
      for (std::size_t c = 0; c < channels; ++c)
        image[c * pixels + p] = values[at + p * channels + c];
    std::copy(image.begin(), image.end(), values.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

/// Watches values that become float32: per column of a table, or all values of an image at once.
class ArrayPrecision {
 public:
  ArrayPrecision(const Layout& layout, const NpyHeader& header, const std::string& file,
                 const Context& context)
      : table_(layout.kind == LayoutKind::vector && !header.is_exact()),
        columns_(table_ ? layout.size() : 1) {
    check_fits(ColumnPrecision::bytes(columns_.columns(), header.rows()),
               std::to_string(layout.size()) + " columns", file, "", context);
  }
  void read(NpyReader& reader, std::vector<float>& values, Context& context) {
    reader.read(values, columns_, context);
  }
  void read(NpyReader& reader, std::vector<std::uint8_t>& values, Context& context) {
    reader.read(values, context);
  }
  void check(const std::string& file, Context& context) const {
    columns_.check(
        file,
        [&](std::size_t k) {
          return table_ ? "column " + std::to_string(k) + " (from 0)" : std::string("the array");
        },
        context);
  }

 private:
  bool table_;
  ColumnPrecision columns_;
};

void append_labels(const std::string& file, const std::string& rows_file, std::size_t rows,
                   const LabelRule& rule, ClassNames& classes, std::vector<std::int32_t>& labels,
                   Context& context) {
  NpyReader reader(file);
  if (reader.header().row_size() != 1)
    throw DataError(file, "header",
                    "labels must be one number or text per row, not " +
                        std::to_string(reader.header().row_size()) +
                        "; store a one-dimensional array");
  if (reader.header().rows() != rows)
    throw DataError(file, "header",
                    "holds " + std::to_string(reader.header().rows()) + " labels, but " +
                        rows_file + " holds " + std::to_string(rows) +
                        " rows; use files that belong together");
  std::size_t row = 0;
  const auto fail = [&](const std::string& what) {
    throw DataError(file, "row " + std::to_string(row) + " (from 0)", "the label " + what);
  };
  const auto add = [&](const std::string& label) {
    labels.push_back(rule.number(label, classes, fail));
    ++row;
  };
  if (reader.header().is_text()) {
    std::vector<std::string> texts;
    reader.read(texts, context);
    for (const std::string& text : texts) add(text);
  } else if (reader.header().kind == 'f') {
    reader.keep_missing();
    std::vector<double> numbers;
    reader.read(numbers, context);
    for (const double number : numbers) {
      if (std::isnan(number)) {
        add("");
        continue;
      }
      if (!(std::abs(number) < 9e15) || number != std::floor(number))
        fail(
            "is not an integer, as class labels must be; correct the array, or name it in "
            "'targets' if these are numbers to predict");
      add(std::to_string(static_cast<std::int64_t>(number)));
    }
  } else {
    std::vector<std::int64_t> numbers;
    reader.read(numbers, context);
    for (const std::int64_t number : numbers) add(std::to_string(number));
  }
}

/// Appends the targets of the rows of another array, one or several numbers per row.
void append_targets(const std::string& file, const std::string& rows_file,
                    std::span<std::int32_t> labels, const LabelRule& rule, TargetNumbers& targets,
                    Context& context) {
  NpyReader reader(file);
  const NpyHeader& header = reader.header();
  const std::size_t width = header.row_size();
  if (header.rows() != labels.size())
    throw DataError(file, "header",
                    "holds the targets of " + std::to_string(header.rows()) + " rows, but " +
                        rows_file + " holds " + std::to_string(labels.size()) +
                        " rows; use files that belong together");
  if (targets.empty()) targets.set_names(numbered_targets(width));
  if (width != targets.names().size())
    throw DataError(file, "header",
                    "holds " + std::to_string(width) + " targets per row, but " +
                        std::to_string(targets.names().size()) +
                        " were expected; use files that belong together");
  check_fits(2.0 * sizeof(double) * double(width) * double(labels.size()), "targets", file, "",
             context);
  reader.keep_missing();
  std::vector<double> numbers;
  reader.read(numbers, context);
  for (std::size_t row = 0; row < labels.size(); ++row) {
    const auto fail = [&](const std::string& what) {
      throw DataError(file, "row " + std::to_string(row) + " (from 0)", "the target " + what);
    };
    if (!targets.add_row(std::span(numbers).subspan(row * width, width), rule, fail))
      labels[row] = left_out_label;
  }
}

}  // namespace

void Npy::check_parameters() const {
  TableSource::check_parameters();
  if (!targets_.value.empty() && (!labels_.value.empty() || !test_labels_.value.empty()))
    throw Error(
        "'labels' are classes and 'targets' numbers to predict, but rows have one of the two; "
        "remove one");
  if (!test_targets_.value.empty() && (test_path_.value.empty() || targets_.value.empty()))
    throw Error("'test_targets' needs 'test_path' and 'targets'; give all three, or remove it");
  if (!test_labels_.value.empty() && test_path_.value.empty())
    throw Error("'test_labels' needs 'test_path'; give both or none");
  if (labels_.value.empty() && !test_labels_.value.empty())
    throw Error("'test_labels' needs 'labels', those of the training rows; give both or none");
  if (!test_lengths_.value.empty() && test_path_.value.empty())
    throw Error("'test_lengths' needs 'test_path'; give both or none");
  if (is_sequence()) return;
  if (!lengths_.value.empty() || !test_lengths_.value.empty() || longest_ > 0)
    throw Error(
        "only sequences have 'lengths', 'test_lengths' and 'longest'; set 'layout: sequence', or "
        "remove them");
}

bool Npy::is_sequence() const {
  return layout_ == "sequence" || (layout_ == "auto" && !lengths_.value.empty());
}

void Npy::apply_model(const NewData& data) {
  if (!test_labels_.value.empty()) refuse_splits(data, {"test_labels"});
  if (!test_lengths_.value.empty()) refuse_splits(data, {"test_lengths"});
  if (!test_targets_.value.empty()) refuse_splits(data, {"test_targets"});
  if (!lengths_.value.empty() && !data.path.empty() && !data.gives("lengths"))
    throw Error(
        "the model was trained on sequences with 'lengths'; give those of the new rows: --set "
        "nodes.NODE.lengths=new_lengths.npy");
  TableSource::apply_model(data);
}

std::string Npy::label_file() const {
  const bool of_these_rows = !model() || model()->gives("labels");
  return labels_.value.empty() || !of_these_rows ? "" : find_data_file(labels_.value);
}

std::string Npy::test_label_file() const {
  return test_labels_.value.empty() || model() ? "" : find_data_file(test_labels_.value);
}

std::string Npy::target_file() const {
  const bool of_these_rows = !model() || model()->gives("targets");
  return targets_.value.empty() || !of_these_rows ? "" : find_data_file(targets_.value);
}

std::string Npy::test_target_file() const {
  return test_targets_.value.empty() || model() ? "" : find_data_file(test_targets_.value);
}

std::string Npy::length_file() const {
  const bool of_these_rows = !model() || model()->path.empty() || model()->gives("lengths");
  return lengths_.value.empty() || !of_these_rows ? "" : find_data_file(lengths_.value);
}

std::string Npy::weight_file() const {
  return weights_.value.empty() || model() ? "" : find_data_file(weights_.value);
}

std::vector<double> Npy::read_weights(std::size_t first, std::size_t second,
                                      Context& context) const {
  const std::string file = weight_file();
  if (file.empty()) return {};
  NpyReader reader(file);
  const NpyHeader& header = reader.header();
  if (header.row_size() != 1 || header.rows() != first)
    throw DataError(file, "header",
                    "holds " + std::to_string(header.rows()) + " x " +
                        std::to_string(header.row_size()) + " values, but " + train_file() +
                        " holds " + std::to_string(first) +
                        " rows; weights must be one number per row");
  std::vector<double> weights;
  reader.read(weights, context);
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] < 0)
      throw DataError(file, "row " + std::to_string(i) + " (from 0)",
                      "the weight is " + to_text(Value(weights[i])) +
                          "; weights must be 0 or more, correct it");
  weights.resize(first + second, 1);
  return weights;
}

std::string Npy::group_file() const {
  return groups_.value.empty() || model() ? "" : find_data_file(groups_.value);
}

std::vector<std::int32_t> Npy::read_groups(std::size_t first, std::size_t second,
                                           Context& context) const {
  const std::string file = group_file();
  if (file.empty()) return {};
  NpyReader reader(file);
  const NpyHeader& header = reader.header();
  if (header.row_size() != 1 || header.rows() != first)
    throw DataError(file, "header",
                    "holds " + std::to_string(header.rows()) + " x " +
                        std::to_string(header.row_size()) + " values, but " + train_file() +
                        " holds " + std::to_string(first) +
                        " rows; groups must be one integer or text per row");
  std::vector<std::string> texts;
  if (header.is_text()) {
    reader.read(texts, context);
  } else {
    std::vector<std::int64_t> numbers;
    reader.read(numbers, context);
    for (const std::int64_t number : numbers) texts.push_back(std::to_string(number));
  }
  GroupNumbers numbers;
  std::vector<std::int32_t> groups;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string_view group = trimmed(texts[i]);
    if (group.empty() || marks_missing(group))
      throw DataError(file, "row " + std::to_string(i) + " (from 0)",
                      "the group is missing; fill it in, or remove the row");
    groups.push_back(numbers[group]);
  }
  groups.resize(first + second, -1);
  return groups;
}

std::string Npy::test_length_file() const {
  return test_lengths_.value.empty() || model() ? "" : find_data_file(test_lengths_.value);
}

std::vector<std::string> Npy::files() const {
  auto all = TableSource::files();
  for (const std::string& file :
       {label_file(), test_label_file(), target_file(), test_target_file(), weight_file(),
        group_file(), length_file(), test_length_file()})
    if (!file.empty()) all.push_back(file);
  return all;
}

Layout Npy::layout_of(const std::string& file, const NpyHeader& header) const {
  const auto& shape = header.shape;
  std::string wanted = layout_;
  if (wanted == "auto")
    wanted = shape.size() == 3                        ? "image"
             : shape.size() == 4 && header.is_bytes() ? "image"
             : shape.size() == 4                      ? "grid"
                                                      : "vector";
  if (wanted == "vector") return Layout::vector(header.row_size());
  if (wanted == "image" && shape.size() == 3) return Layout::image(shape[1], shape[2], 1);
  if (wanted == "image" && shape.size() == 4) return Layout::image(shape[1], shape[2], shape[3]);
  if (wanted == "grid" && shape.size() == 4) return Layout::grid(shape[1], shape[2], shape[3]);
  throw DataError(file, "header",
                  "an array of " + std::to_string(shape.size()) +
                      " dimensions cannot be read as '" + wanted +
                      "'; an image has 3 or 4 and a grid 4, rows included, a sequence 2 or 3");
}

void Npy::read_labels(std::size_t first, std::size_t second, RowFacts& facts,
                      Context& context) const {
  if (!label_file().empty())
    append_labels(label_file(), train_file(), first, label_rule(), facts.classes, facts.labels,
                  context);
  if (!test_label_file().empty())
    append_labels(test_label_file(), test_file(), second, label_rule(), facts.classes, facts.labels,
                  context);
  check_labels(facts.labels, facts.classes, context);
}

void Npy::read_targets(std::size_t first, std::size_t second, RowFacts& facts,
                       Context& context) const {
  TargetNumbers& targets = facts.targets;
  if (model()) targets.set_names(model()->targets);
  const std::span labels = facts.labels;
  const auto append = [&](const std::string& file, const std::string& rows_file,
                          std::span<std::int32_t> of_rows) {
    if (file.empty()) return targets.add_unknown_rows(of_rows.size());
    append_targets(file, rows_file, of_rows, label_rule(), targets, context);
  };
  append(target_file(), train_file(), labels.first(first));
  append(test_target_file(), test_file(), labels.subspan(first, second));
  const bool single = targets.names().size() == 1;
  if (!model())
    targets.check(
        target_file(),
        [&](std::size_t k) {
          return single ? std::string("the array") : "column " + std::to_string(k) + " (from 0)";
        },
        context);
}

RowFacts Npy::read_facts(std::size_t first, std::size_t second, Context& context) const {
  RowFacts all;
  read_labels(first, second, all, context);
  all.labels.resize(first + second, no_label);
  if (target_kind() == TargetKind::numbers) read_targets(first, second, all, context);
  all.groups = read_groups(first, second, context);
  return all;
}

Outline Npy::outline(Context& context) const {
  // Nothing is allocated for rows that so far only a header claims.
  const NpyReader train(train_file());
  const std::size_t first = train.header().rows();
  std::optional<NpyReader> test;
  if (!test_file().empty()) test.emplace(test_file());
  const std::size_t second = test ? test->header().rows() : 0;
  if (is_sequence()) {
    const Sequences all = sequences(train, test ? &*test : nullptr, context);
    Outline outline = labelled_outline(all.layout, first, second, context);
    outline.values = all.values;
    if (label_file().empty() && target_file().empty()) return outline;
    const auto labels = read_facts(first, second, context).labels;
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (labels[i] == left_out_label) outline.values -= all.lengths[i] * all.layout.depth;
    return outline;
  }
  const Layout layout = layout_of(train_file(), train.header());
  check_table_fits(wanted().count(0, first + second), layout.size(),
                   train.header().is_bytes() ? 1 : 4, train_file(), context);
  return labelled_outline(layout, first, second, context);
}

Outline Npy::labelled_outline(const Layout& layout, std::size_t first, std::size_t second,
                              Context& context) const {
  Outline outline{layout, 0, first + second, {}};
  if (model()) outline.targets = model()->targets;
  if (label_file().empty() && target_file().empty()) {
    if (tests_all_rows()) return outline;
    if (test_fraction_ == 0) {
      outline.train_rows = training_rows(first);
      outline.test_rows -= outline.train_rows;
      outline.numbered_rows = first;
      return outline;
    }
    check_fits(double(first + second) * 2 * sizeof(std::int32_t), "what is known of the rows",
               train_file(), "", context);
  }
  RowFacts facts = read_facts(first, second, context);
  facts.classes.sort(facts.labels);
  const Split parts = split(first, facts, context);
  outline.train_rows = parts.train_rows;
  outline.test_rows = parts.test_rows;
  outline.classes = facts.classes.names();
  outline.numbered_rows = parts.numbered_rows;
  outline.targets = facts.targets.names();
  return outline;
}

template <class T>
std::unique_ptr<Dataset> Npy::open_as(NpyReader& train, NpyReader* test, Context& context) const {
  const Layout layout = layout_of(train_file(), train.header());
  if (test && layout_of(test_file(), test->header()) != layout)
    throw DataError(test_file(), "header",
                    "holds rows that are each a " +
                        describe(layout_of(test_file(), test->header())) +
                        ", but the training file's are each a " + describe(layout) +
                        "; use arrays of the same data set");
  const std::size_t first = train.header().rows(), second = test ? test->header().rows() : 0;
  check_table_fits(wanted().count(0, first + second), layout.size(), sizeof(T), train_file(),
                   context);
  if (!wanted().all()) {
    train.keep_only(wanted(), 0);
    if (test) test->keep_only(wanted(), first);
  }
  std::vector<T> values;
  const NpyHeader& wider = test && !test->header().is_exact() ? test->header() : train.header();
  ArrayPrecision precision(layout, wider, train_file(), context);
  precision.read(train, values, context);
  if (test) precision.read(*test, values, context);
  // New rows may be close together; the model's training samples were not.
  if (!model()) precision.check(train_file(), context);
  // Only now the number of rows is certain.
  RowFacts facts = read_facts(first, second, context);
  facts.weights = read_weights(first, second, context);
  if (layout.kind == LayoutKind::image && layout.depth > 1) make_planar(layout, 0, values);
  return finish(layout, std::move(facts),
                packed(std::move(values), layout.size(), HeldRows(wanted(), first + second)), first,
                context);
}

std::unique_ptr<Dataset> Npy::open(Context& context) const {
  NpyReader train(train_file());
  std::optional<NpyReader> test;
  if (!test_file().empty()) test.emplace(test_file());
  NpyReader* second = test ? &*test : nullptr;
  if (keeps_missing()) {
    train.keep_missing();
    if (second) second->keep_missing();
  }
  if (is_sequence()) return open_sequences(train, second, context);
  if (train.header().is_bytes() && (!test || test->header().is_bytes()))
    return open_as<std::uint8_t>(train, second, context);
  return open_as<float>(train, second, context);
}

Declaration<Npy> Npy::declare() {
  Declaration<Npy> declaration("source/npy", "A NumPy array (.npy), one entry per row");
  declaration
      .parameter("path", &Npy::path_, ".npy file, plain or as .gz, .xz, .bz2 or .zst", required())
      .parameter(
          "labels", &Npy::labels_,
          ".npy file with one integer or text per row; without it rows have no labels, as for "
          "novelty detectors",
          optional())
      .parameter("test_labels", &Npy::test_labels_, "the same for the rows of 'test_path'",
                 optional())
      .parameter(
          "targets", &Npy::targets_,
          ".npy file with one or several numbers to predict per row, for regression, in place "
          "of 'labels'",
          optional())
      .parameter("test_targets", &Npy::test_targets_, "the same for the rows of 'test_path'",
                 optional())
      .parameter("weights", &Npy::weights_,
                 ".npy file with one number per row of 'path': how much it counts for the solver: "
                 "2 like the row twice, 0 like no row",
                 optional())
      .parameter("groups", &Npy::groups_,
                 ".npy file with one integer or text per row of 'path', which says which rows "
                 "belong together, such as those of one patient: folds and 'test_fraction' never "
                 "divide them",
                 optional())
      .parameter("missing", &Npy::missing_,
                 "what to do with missing values (NaN): refuse them, or keep them for "
                 "normalizer/impute, of "
                 "sequences normalizer/impute_series",
                 choices({"refuse", "keep"}))
      .parameter(
          "layout", &Npy::layout_,
          "what a row is; auto: two dimensions are vectors, three are grey images, four are images "
          "if the values are bytes and grids of cells otherwise; with 'lengths' they are sequences",
          choices({"auto", "vector", "image", "grid", "sequence"}))
      .parameter("lengths", &Npy::lengths_,
                 ".npy file with one integer per row: how many steps of the sequence are there; "
                 "what follows them is ignored",
                 optional())
      .parameter("test_lengths", &Npy::test_lengths_, "the same for the rows of 'test_path'",
                 optional())
      .parameter("longest", &Npy::longest_,
                 "steps that a sequence may have, also one of new data; 0: any number", at_least(0),
                 at_most(67108864.0), unit("steps"));
  declare_split(declaration);
  declare_split_by(declaration);
  declare_classes(declaration);
  return declaration.random()
      .documentation(
          "Format versions 1 to 3, in C or Fortran order, little- or big-endian; float16, float32, "
          "float64, integers and booleans, and texts for labels. Bytes are kept as bytes, "
          "everything else as float32: a column whose values float32 cannot tell apart is an "
          "error, and integers beyond 16,777,216 that get rounded are reported. Colour images are "
          "(rows, height, width, channels); sequences are (rows, steps, channels) or (rows, "
          "steps), and are kept as float32. Columns have no names: new rows for a model must have "
          "them in the same order. Give labels for new rows with `--set "
          "nodes.NODE.labels=new_labels.npy`, and targets likewise.")
      .complexity("memory: 1 byte per value for bytes, else 4")
      .example(R"(
        table: {is: source/npy, path: rows.npy, labels: labels.npy, test_fraction: 0.3}
        x:     {is: normalizer/zscore, from: table}
        svm:   {is: solver/linear_svm, from: x}
        test:  {is: evaluator/classification, from: svm})");
}

ComponentEntry declare_npy_source() { return Npy::declare().entry(); }

}  // namespace semblance::sources
