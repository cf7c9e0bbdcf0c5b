// SPDX-License-Identifier: MIT
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrays/array_rows.hpp"
#include "rows/table_source.hpp"
#include "semblance/declaration.hpp"
#include "semblance/handed_over.hpp"
#include "semblance/row_lines.hpp"
#include "semblance/source.hpp"

namespace semblance::sources {

// The sources that read files for it.
ComponentEntry declare_csv(), declare_npy_source(), declare_strings();

namespace {

constexpr const char* example_id = "example";

std::unique_ptr<Source> made(const ComponentEntry& entry,
                             const std::vector<std::pair<std::string, Value>>& values) {
  std::unique_ptr<Component> source = entry.create();
  for (const auto& [name, value] : values) {
    const auto place = entry.info.parameter(name) - entry.info.parameters.data();
    entry.setters[static_cast<std::size_t>(place)].value(*source, value);
  }
  source->check_parameters();
  return std::unique_ptr<Source>(&dynamic_cast<Source&>(*source.release()));
}

bool is_array(const std::string& path) { return path.find(".npy") != path.npos; }

/// By name, or the last columns if the model's columns have no names.
std::vector<std::string> target_columns(const NewData& data) {
  if (!data.columns.empty()) return data.targets;
  std::vector<std::string> last;
  for (std::size_t k = data.targets.size(); k > 0; --k) last.push_back("-" + std::to_string(k));
  return last;
}

/// The source that reads new rows for a model, chosen by the layout and the file name.
std::unique_ptr<Source> reader_of(const NewData& data, const std::string& labels,
                                  const std::string& missing) {
  const bool numbers = !data.targets.empty();
  if (is_array(data.path))
    return made(declare_npy_source(), {{"path", data.path},
                                       {numbers ? "target" : "label", labels},
                                       {"layout", std::string(name(data.layout.kind))}});
  if (!labels.empty())
    throw Error("'label' names the labels of rows in an array; '" + data.path +
                "' is no .npy file");
  if (data.layout.kind == LayoutKind::vector && numbers)
    return made(declare_csv(),
                {{"path", data.path}, {"target", target_columns(data)}, {"missing", missing}});
  if (data.layout.kind == LayoutKind::vector)
    return made(declare_csv(), {{"path", data.path}, {"missing", missing}});
  if (data.layout.kind == LayoutKind::string) return made(declare_strings(), {{"path", data.path}});
  throw Error("it cannot read '" + data.path + "' as rows that are each a " +
              describe(data.layout) + "; save them as an array (.npy)");
}

std::shared_ptr<const Dataset> found(const std::string& id) {
  if (auto data = handed_over(id)) return data;
  if (id == example_id) return example_rows();
  throw Error(
      "no program has handed over the data '" + id +
      "': from Python, semblance.run(..., data={\"NODE\": (X, y)}) gives a node its rows; for "
      "files use source/npy or source/csv, and name those that a model is to be applied "
      "to: semblance predict MODEL FILE");
}

/// Rows that a program has handed over in memory.
class ArraySource final : public TableSource {
 public:
  void check_parameters() const override {
    if (data_.empty()) throw Error("'data' is empty; it is the name of what a program hands over");
    if (split_by_ == "group" && !gives_groups())
      throw Error("'split_by: group' needs groups, but the program has given none; omit it");
  }

  void apply_model(const NewData& data) override {
    if (test_fraction_ > 0) refuse_splits(data, {"test_fraction"});
    of_model_ = true;
    if (data.path.empty()) {
      if (!labels_.value.empty()) throw Error("'label' needs the file with its rows");
      return;
    }
    if (data.layout.kind == LayoutKind::set)
      throw Error("no file format holds sets; apply the model from the program that trained it");
    file_ = reader_of(data, labels_.value, missing_);
    NewData read = data;
    if (!data.targets.empty() && data.gives("label")) read.given.emplace_back("target");
    file_->apply_model(read);
  }

  std::vector<std::string> files() const override {
    if (file_) return file_->files();
    found(data_);  // throws if the data, which replace files, do not exist
    return {};
  }

  bool selects_rows() const override { return false; }

  bool gives_weights() const override {
    const auto data = handed_over(data_);
    return data && !data->weights().empty();
  }

  bool gives_groups() const override {
    const auto data = handed_over(data_);
    return data && !data->groups().empty();
  }

  bool keeps_missing() const override { return missing_ == "keep"; }

  /// Without the program's data, the rows are new data for a model.
  TargetKind target_kind() const override {
    const auto data = handed_over(data_);
    if (!data) return data_ == example_id ? TargetKind::classes : TargetKind::none;
    if (!data->outline().targets.empty()) return TargetKind::numbers;
    return data->outline().classes.empty() ? TargetKind::none : TargetKind::classes;
  }

  Outline outline(Context& context) const override {
    return file_ ? file_->outline(context) : rows(context)->outline();
  }

  std::unique_ptr<Dataset> open(Context& context) const override {
    if (file_) return file_->open(context);
    auto data = rows(context);
    check_array_rows(*data, *found(data_), keeps_missing(), context);
    const Outline& outline = data->outline();
    if (!of_model_)
      warn_of_groups({outline.train_rows, outline.test_rows, {}, 0}, data->groups(), context);
    return data;
  }

  /// In the format of the text files that a model is applied to.
  std::unique_ptr<RowLines> lines(const NewData& model) const override {
    if (model.layout.kind != LayoutKind::vector) return nullptr;
    const std::unique_ptr<Component> csv = declare_csv().create();
    return dynamic_cast<const Source&>(*csv).lines(model);
  }

  static Declaration<ArraySource> declare() {
    Declaration<ArraySource> declaration(
        "source/array", "Arrays that a program hands over in memory, as from Python");
    declaration
        .parameter("data", &ArraySource::data_,
                   "what the program calls the data; from Python, semblance.run(..., "
                   "data={\"NODE\": (X, y)}) gives a node its rows, and calls them by a hash of "
                   "their content. `example` stands for a few rows that are always there",
                   required())
        .parameter("missing", &ArraySource::missing_,
                   "what becomes of missing values (NaN); keep: they remain NaN, for "
                   "normalizer/impute, or normalizer/impute_series where rows are series",
                   choices({"refuse", "keep"}))
        .parameter("label", &ArraySource::labels_,
                   "where a model is applied to rows in a .npy file: a .npy file with one integer "
                   "per row, the class's name, or with the row's targets",
                   optional());
    declare_fraction(declaration, true);
    return declaration.random()
        .gone({.written = "labels",
               .since = "1.0",
               .advice = "write label; a model that was trained with it is trained again"})
        .documentation(
            "Rows of float32 are used in place and never copied. Infinite values are errors, and "
            "so are missing ones unless `missing: keep` is set. Rows without labels suit what "
            "needs none, such as novelty detectors.\n\nIn Python the package puts this source "
            "where a pipeline names data that are given as arrays, and into the pipelines of "
            "estimators. A model that was trained this way is applied to files like any other: "
            "`semblance predict MODEL new.npy`, or a table in a text file with the model's column "
            "names, or strings as source/strings reads them.")
        .complexity("memory: none for float32, besides the labels")
        .example(R"(
        rows: {is: source/array, data: example, test_fraction: 0.3}
        x:    {is: normalizer/zscore, from: rows}
        svm:  {is: solver/linear_svm, from: x}
        test: {is: evaluator/classification, from: svm})");
  }

 private:
  std::unique_ptr<Dataset> rows(Context& context) const {
    auto data = found(data_);
    const Outline& outline = data->outline();
    Split split{outline.train_rows, outline.test_rows, {}, outline.numbered_rows};
    if (of_model_) {
      split = {0, outline.rows(), {}, 0};
    } else if (test_fraction_ > 0) {
      if (outline.test_rows > 0)
        throw Error("the data '" + data_ + "' have test rows of their own; remove 'test_fraction'");
      const bool labelled = !outline.classes.empty() && !data->labels().empty();
      const std::vector<std::int32_t> no_labels(labelled ? 0 : outline.rows(), no_label);
      const auto targets = data->targets();
      const auto groups = split_by_ == "row" ? std::span<const std::int32_t>() : data->groups();
      split = drawn_split(labelled ? data->labels() : no_labels,
                          {outline.targets, {targets.begin(), targets.end()}}, groups,
                          test_fraction_, context.random());
      split.numbered_rows = outline.train_rows;
    }
    if (split.train_rows + split.test_rows == 0)
      throw Error("the data '" + data_ + "' have no rows");
    return array_rows(std::move(data), std::move(split));
  }

  std::string data_;
  std::string missing_ = "refuse";
  Path labels_;
  bool of_model_ = false;
  std::unique_ptr<Source> file_;  ///< for a model: reads the file that it is applied to
};

}  // namespace

ComponentEntry declare_array_source() { return ArraySource::declare().entry(); }

}  // namespace semblance::sources
