// SPDX-License-Identifier: MIT
#include "arrays/npy_source.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "rows/memory_limit.hpp"

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

/// An array of facts in a file of its own.
class NpyFacts final : public FactArray {
 public:
  explicit NpyFacts(const std::string& file) : reader_(file) {}

  std::size_t rows() const noexcept override { return reader_.header().rows(); }
  std::size_t cols() const noexcept override { return reader_.header().row_size(); }
  [[noreturn]] void fail(const std::string& what) const override {
    throw DataError(reader_.path(), "header", what);
  }
  [[noreturn]] void fail_row(std::size_t row, const std::string& what) const override {
    throw DataError(reader_.path(), "row " + std::to_string(row) + " (from 0)", what);
  }
  void each_text(const std::string& what, const TakeText& take, Context& context) override {
    std::size_t row = 0;
    if (reader_.header().is_text()) {
      std::vector<std::string> texts;
      reader_.read(texts, context);
      for (const std::string& text : texts) take(row++, text);
    } else if (reader_.header().kind == 'f') {
      for (const double number : numbers(what, context)) {
        take(row, std::isnan(number) ? "" : whole(number, row, what));
        ++row;
      }
    } else {
      std::vector<std::int64_t> integers;
      reader_.read(integers, context);
      for (const std::int64_t number : integers) take(row++, std::to_string(number));
    }
  }
  std::vector<double> numbers(const std::string& what, Context& context) override {
    check_fits(2.0 * sizeof(double) * double(rows()) * double(cols()), what + "s", reader_.path(),
               "", context);
    reader_.keep_missing();
    std::vector<double> all;
    reader_.read(all, context);
    return all;
  }

 private:
  NpyReader reader_;
};

/// Empty for no path.
std::string file_of(const std::string& path) { return path.empty() ? "" : find_data_file(path); }

}  // namespace

void Npy::check_parameters() const {
  ArraysSource::check_parameters();
  if (!test_lengths_.value.empty() && !has_tests())
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
  refuse_splits(data, {"test_lengths"});
  if (!lengths_.value.empty() && !data.path.empty() && !data.gives("lengths"))
    throw Error(
        "the model was trained on sequences with 'lengths'; give those of the new rows: --set "
        "nodes.NODE.lengths=new_lengths.npy");
  ArraysSource::apply_model(data);
}

/// A model is applied to the training rows with their own lengths.
std::string Npy::length_file() const {
  const bool known = !model() || model()->path.empty() || model()->gives("lengths");
  return known ? file_of(lengths_.value) : "";
}

std::string Npy::test_length_file() const { return model() ? "" : file_of(test_lengths_.value); }

FactPlaces Npy::fact_files() const {
  FactPlaces files = train_places();
  std::ranges::transform(files, files.begin(), file_of);
  return files;
}

FactPlaces Npy::test_fact_files() const {
  if (model()) return {};
  return {file_of(test_label_at_.value), file_of(test_target_at_.value), "",
          file_of(test_groups_at_.value)};
}

bool Npy::has_answers() const {
  const FactPlaces files = fact_files();
  return !files[0].empty() || !files[1].empty();
}

std::vector<std::string> Npy::files() const {
  auto all = TableSource::files();
  for (const FactPlaces& files : {fact_files(), test_fact_files()})
    std::ranges::copy(files, std::back_inserter(all));
  all.push_back(length_file());
  all.push_back(test_length_file());
  std::erase(all, "");
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

RowFacts Npy::read_facts(std::size_t first, std::size_t second, Context& context) const {
  RowFacts facts;
  if (model()) facts.targets.set_names(model()->targets);
  const bool numbers = target_kind() == TargetKind::numbers;
  const auto append = [&](const FactPlaces& files, std::size_t rows, const std::string& samples) {
    append_facts(
        files, [](const std::string& file) { return std::make_unique<NpyFacts>(file); }, rows,
        samples, label_rule(), numbers, facts, context);
  };
  append(fact_files(), first, train_file());
  if (!test_file().empty()) append(test_fact_files(), second, test_file());
  check_labels(facts.labels, facts.classes, context);
  const bool single = facts.targets.names().size() == 1;
  if (!model() && numbers)
    facts.targets.check(
        fact_files()[1],
        [&](std::size_t k) {
          return single ? std::string("the array") : "column " + std::to_string(k) + " (from 0)";
        },
        context);
  return facts;
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
    if (!has_answers()) return outline;
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
  if (!has_answers()) {
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
  // Each column of a table is watched by itself, an image as a whole.
  const bool table = layout.kind == LayoutKind::vector && !wider.is_exact();
  ColumnPrecision precision(table ? layout.size() : 1);
  check_fits(ColumnPrecision::bytes(precision.columns(), wider.rows()),
             std::to_string(layout.size()) + " columns", train_file(), "", context);
  train.read(values, context, {&precision});
  if (test) test->read(values, context, {&precision});
  // New rows may be close together; the model's training samples were not.
  if (!model())
    precision.check(
        train_file(),
        [&](std::size_t k) {
          return table ? "column " + std::to_string(k) + " (from 0)" : std::string("the array");
        },
        context);
  // Only now the number of rows is certain.
  RowFacts facts = read_facts(first, second, context);
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
  declare_text_file(declaration, ".npy file");
  declare_arrays(declaration, ".npy file");
  declaration
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
  return declaration.random()
      .documentation(
          "Format versions 1 to 3, in C or Fortran order, little- or big-endian; float16, float32, "
          "float64, integers and booleans, and texts for labels. Bytes are kept as bytes, "
          "everything else as float32: a column whose values float32 cannot distinguish is an "
          "error, and integers beyond 16,777,216 that get rounded are reported. Colour images are "
          "(rows, height, width, channels); sequences are (rows, steps, channels) or (rows, "
          "steps), and are kept as float32. Columns have no names: new rows for a model must have "
          "them in the same order. Give labels for new rows with `--set "
          "nodes.NODE.label=new_labels.npy`, and targets likewise.")
      .complexity("memory: 1 byte per value for bytes, else 4")
      .example(R"(
        table: {is: source/npy, path: rows.npy, label: labels.npy, test_fraction: 0.3}
        x:     {is: normalizer/zscore, from: table}
        svm:   {is: solver/linear_svm, from: x}
        test:  {is: evaluator/classification, from: svm})");
}

ComponentEntry declare_npy_source() { return Npy::declare().entry(); }

}  // namespace semblance::sources
