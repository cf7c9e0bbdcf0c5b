// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>

#include "files/byte_reader.hpp"
#include "rows/table_source.hpp"
#include "series/series_rows.hpp"

namespace semblance::sources {
namespace {

/// Time series in the formats of the UCR and UEA archives.
class Ucr final : public TableSource {
 public:
  Ucr() : TableSource(Answers::words) {}

  void check_parameters() const override;
  std::vector<std::string> files() const override;
  bool reads_slowly() const override { return true; }
  bool keeps_missing() const override { return missing_ == "keep"; }
  TargetKind target_kind() const override {
    const TargetKind kind = TableSource::target_kind();
    return kind == TargetKind::classes && labels_ == "absent" ? TargetKind::none : kind;
  }
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<Ucr> declare();

 private:
  /// The files to read, those of a folder where 'path' names one.
  struct Parts {
    std::string train;
    std::string test;  ///< empty: none
  };
  Parts parts() const;
  void refuse_splits_of_folder() const;
  SeriesFormat series_format() const;
  Layout layout_of(const SeriesRows& rows) const;

  std::string format_ = "auto";
  std::string labels_ = "present";
  std::string missing_ = "refuse";
  std::int64_t longest_ = 0;
};

/// NAME of "some/NAME" and "some/NAME/".
std::string name_of(const std::string& folder) {
  const std::filesystem::path path = std::filesystem::path(folder).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

/// FOLDER/NAME_TRAIN.ts or another of its forms; the first name if none exists.
std::string part_in(const std::string& folder, const std::string& part, const std::string& format) {
  const std::string stem = folder + "/" + name_of(folder) + "_" + part;
  std::string first;
  for (const std::string extension : {".tsv", ".ts", ".arff", ".txt", ".csv"}) {
    if (format != "auto" && series_format_of(extension) != format) continue;
    std::string file = find_data_file(stem + extension);
    if (std::error_code ignored; std::filesystem::exists(file, ignored)) return file;
    if (first.empty()) first = file;
  }
  return first;
}

void log_interpolated(const SeriesRows& rows, const std::string& file, Context& context) {
  if (rows.interpolated_series == 0) return;
  context.log(LogLevel::info,
              file + ": missing values interpolated: " + std::to_string(rows.interpolated_values) +
                  ", in " + std::to_string(rows.interpolated_series) + " series");
}

void Ucr::check_parameters() const {
  TableSource::check_parameters();
  check_has_beside();
  if (is_folder(path_.value)) refuse_splits_of_folder();
}

void Ucr::refuse_splits_of_folder() const {
  if (model()) return;
  if (test_path_.value.empty() && test_fraction_ == 0 && test_class_fraction_ == 0 &&
      test_rows_ == 0 && role_ == "train")
    return;
  throw Error(
      "'path' names a folder, whose _TEST file has the test rows; name its _TRAIN file in "
      "'path' to choose them otherwise");
}

Ucr::Parts Ucr::parts() const {
  const std::string path = model() && !model()->path.empty() ? model()->path : path_.value;
  if (!is_folder(path)) return {train_file(), test_file()};
  refuse_splits_of_folder();
  return {part_in(path, "TRAIN", format_), part_in(path, "TEST", format_)};
}

std::vector<std::string> Ucr::files() const {
  const Parts both = parts();
  std::vector<std::string> all = {both.train};
  for (const std::string& file : {both.test, beside_file()})
    if (!file.empty()) all.push_back(file);
  return all;
}

SeriesFormat Ucr::series_format() const {
  SeriesFormat format;
  format.format = format_;
  format.labelled = labels_ == "present";
  format.interpolate = missing_ == "interpolate";
  format.keep_missing = keeps_missing();
  format.longest = static_cast<std::size_t>(longest_);
  format.why_longest =
      "'longest: " + std::to_string(longest_) + "' allows; raise it or cut the series";
  if (!model()) return format;
  format.channels = model()->layout.depth;
  if (model()->gives("labels")) return format;
  format.model_steps = model()->layout.width;
  format.model_classes = model()->classes;
  return format;
}

Layout Ucr::layout_of(const SeriesRows& rows) const {
  if (model()) return model()->layout;
  const std::size_t longest = longest_ > 0 ? static_cast<std::size_t>(longest_) : rows.longest();
  return Layout::sequence(longest, rows.channels);
}

std::unique_ptr<Dataset> Ucr::open(Context& context) const {
  const Parts both = parts();
  if (resample_ && !model() && both.test.empty())
    throw Error(
        "'resample' draws from the training and the test rows of two files; name the second in "
        "'test_path', or set 'test_fraction' instead");
  SeriesFormat format = series_format();
  SeriesRows rows;
  const std::size_t first =
      read_files(both.train, both.test, rows, [&](const std::string& file, const FactRules& rules) {
        format.facts = rules;
        read_series(file, format, rows, context);
      });
  check_facts(rows, context);
  const auto channel = [](std::size_t k) { return "channel " + std::to_string(k + 1); };
  if (!model()) rows.precision.check(both.train, channel, context);
  rows.own_precision.report(both.train, context);
  log_interpolated(rows, both.train, context);
  const Layout layout = layout_of(rows);
  return finish(layout, static_cast<RowFacts&&>(rows), ragged(std::move(rows.series)), first,
                context);
}

Declaration<Ucr> Ucr::declare() {
  Declaration<Ucr> declaration("source/ucr",
                               "Time series in the formats of the UCR and UEA archives");
  declaration
      .parameter("path", &Ucr::path_,
                 "folder NAME that holds NAME_TRAIN and NAME_TEST, or a file: .tsv, .ts or .arff, "
                 "plain or as .gz, .xz, .bz2 or .zst",
                 required())
      .parameter("format", &Ucr::format_, "form of the files; auto: by their names",
                 choices({"auto", "tsv", "ts", "arff"}))
      .parameter("labels", &Ucr::labels_,
                 "whether a line of .tsv begins with the class or number; files of the other forms "
                 "say that themselves",
                 choices({"present", "absent"}))
      .parameter("missing", &Ucr::missing_,
                 "what becomes of missing values inside a series; interpolate: the line between "
                 "the values beside them, at an end the nearest value; keep: as NaN, for "
                 "normalizer/impute_series",
                 choices({"refuse", "interpolate", "keep"}))
      .parameter("longest", &Ucr::longest_,
                 "steps that a series may have, also one of new data; 0: any number", at_least(0),
                 at_most(67108864.0), unit("steps"));
  declare_rows(declaration, {.label_place = "the class of each series",
                             .target_word = "what is known of each series: its class, or the "
                                            "number to predict, as files with @targetLabel have",
                             .facts = ""});
  declaration.parameter(
      "resample", &Ucr::resample_,
      "draw the training series anew by the seed, from those of both files, as many of each class "
      "as the training file has; all others are for testing");
  return declaration.gives(LayoutKind::sequence)
      .random()
      .documentation(
          "`.tsv` has one series per line: the class, then one value per step, separated by tabs "
          "(or commas or blanks); series that are shorter than others end with `NaN`. `.ts` is the "
          "format of aeon and sktime, with several channels and lengths that differ. Its time "
          "stamps, numbers or dates, must be equally spaced, in all series alike; a series may "
          "begin at any time, and a step without a stamp is missing. `.arff` is Weka's: one "
          "numeric attribute per step, or one relational attribute whose rows are the channels. A "
          "missing value is written `NaN` or `?`; in `.tsv` and `.arff`, those at the end of all "
          "channels are no part of the series, in `.ts` they are missing values.\n\n"
          "Values are given as they are stored; most methods want each series normalized first, "
          "with `feature/znorm`. All series have the same channels, and those of one series are "
          "equally long. Test series of classes without training rows are refused unless "
          "`new_test_classes` is set. New data may lack the class (`labels: absent` for `.tsv`), "
          "and "
          "may be longer than the training data. A folder as new data means all series of its two "
          "files.\n\n"
          "`resample` makes other divisions of a set as the archive's resamples are made: a study "
          "with `repeats: {seeds: 10}` has ten of them.\n\n"
          "With `target: numbers` a line of .tsv begins with a number to predict, and one of .ts "
          "ends with it, as in the archive of time series extrinsic regression.")
      .reference(
          "Dau et al., The UCR Time Series Archive, 2019; Bagnall et al., The UEA multivariate "
          "time series classification archive, 2018; Tan et al., Time series extrinsic "
          "regression, 2021")
      .complexity("memory: 4 bytes per value that is there")
      .example(R"(
        gun:   {is: source/ucr, path: ucr/GunPoint}
        x:     {is: feature/znorm, from: gun}
        bases: {is: basis/random, count: 20, from: gun}
        dtw:   {is: similarity/dtw, from: x, bases: bases}
        svm:   {is: solver/linear_svm, from: dtw}
        test:  {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_ucr() { return Ucr::declare().entry(); }

}  // namespace semblance::sources
