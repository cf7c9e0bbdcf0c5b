// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/pipeline_options.hpp"
#include "report/study_record.hpp"
#include "runtime/run/run.hpp"

namespace semblance::cli {

/// What a user's data are, judged by their content, not by their name: "text table", "series" and
/// so on, as in pipelines/suggest/sources.json.
struct KnownData {
  std::filesystem::path path;  ///< the training file, if the data are a folder of series
  std::string form;
};

/// The form of the data. Content cannot tell series and sets in a table or an array from rows or
/// pictures: `as` says what they are ("table", "series", "sets", "strings", "documents" or
/// "molecules"), or is empty.
/// Throws UsageError, with what was found, if the data have none of these forms.
KnownData known_data(const std::filesystem::path& data, const std::string& as);

/// The node `data` of a pipeline: its keys and their values as YAML, in the order written.
class DataNode {
 public:
  /// Replaces the key's value, or adds it at the end.
  void set(const std::string& key, const std::string& value);
  void remove(const std::string& key);

  /// {is: source/csv, path: "/data/mine.csv", label: kind}
  std::string text() const;

 private:
  std::vector<std::pair<std::string, std::string>> keys_;
};

/// The wanted column, or file next to the data: of classes, or of numbers to predict. Empty: the
/// form's own classes.
struct WantedTarget {
  std::string label;
  std::string target;
  std::string normal;  ///< the class whose samples are usual, for detectors; empty: none

  bool unlabelled() const { return label == "none"; }
  bool novelty() const { return unlabelled() || !normal.empty(); }
};

/// The source that reads data of this form, and the folder of the pipelines to try. `shipped` is
/// the folder pipelines/suggest. Throws UsageError if the form needs a label, or cannot have one.
struct DataReading {
  DataNode node;
  std::filesystem::path candidates;
  std::filesystem::path beside = {};  ///< a folder of more of them; empty: none
  std::string metric = {};            ///< the figure of `test` by which all are compared
  bool novelty = false;               ///< detectors are tried
  std::string normal = {};            ///< the class that they learn from; empty: all samples
};

DataReading reading_of(const std::string& form, const std::filesystem::path& data,
                       const WantedTarget& wanted, const std::filesystem::path& shipped);

/// Takes the pipelines that use the attributes of nodes, if there are any.
void prefer_attributes(DataReading& reading);

/// A pipeline to try.
struct Candidate {
  std::string name;  ///< of its file, without the number that orders it
  std::filesystem::path file;
  std::string text;  ///< of the file, with the user's data in place of the original ones
};

/// The pipelines of the reading's folders, each in the order of their names, with `data` as the
/// node of that name, judged by the reading's metric. Throws Error if a folder has none, or one has
/// no such node.
std::vector<Candidate> candidates(const DataReading& reading, const DataNode& data);

/// The cost of a method: measured on one thread, on the samples of the first split.
struct Cost {
  double train_seconds = 0;        ///< busy time of its nodes while learning
  double prediction_seconds = 0;   ///< busy time for one new sample
  std::uintmax_t model_bytes = 0;  ///< on disk
};

/// The methods that were tried, as one study, and the cost of each.
struct Suggestion {
  StudyRecord study;
  std::vector<std::optional<Cost>> costs;  ///< one per method; nothing if it was not measured
};

/// Adds a method that was studied alone: the only one of `single`, on the same splits.
void add_method(Suggestion& all, StudyRecord single, const std::string& name,
                const std::optional<Cost>& cost);

/// Compares the methods with the best of them.
void compare_with_best(Suggestion& all);

/// The method with the least mean, with which all other methods are compared.
std::size_t best_method(const Suggestion& all);

/// Whether the splits cannot distinguish method `m` from the best at 5 %, corrected for their
/// number.
bool as_good_as_best(const Suggestion& all, std::size_t m);

/// The method that predicts fastest, among those that are as good as the best and within a standard
/// error of its mean.
std::size_t fastest_of_good(const Suggestion& all);

/// Two sentences: the method to train and its error, where `trivial` is "always predicting the
/// largest class makes 36.3 %" or empty, and what is as good.
std::string advice(const Suggestion& all, const std::string& trivial);

/// A sentence: which share of held-out usual samples the best detector takes for novel, and which
/// was promised. Empty if the methods are not detectors.
std::string false_alarms_text(const Suggestion& all);

/// Text for the terminal: one line per method, the best with a '*', those as good with a '='.
std::string suggestion_text(const Suggestion& all);

/// {"best": NAME, "methods": [{"name", "error_rate", "deviation", "as_good_as_best",
/// "train_seconds", "prediction_seconds", "model_bytes"}]}; detectors have "false_alarms" as well.
nlohmann::ordered_json suggestion_json(const Suggestion& all);

/// The share of samples to test on, unless the data are large.
inline constexpr double usual_test_fraction = 0.25;

/// The task for which to suggest a method, from the arguments.
struct SuggestTask {
  std::filesystem::path data;
  DataReading reading;
  std::size_t rows = 2000;  ///< to train on, at most
  std::size_t splits = 5;
  bool numbers = false;  ///< are predicted, not classes
  CheckOptions checking;

  /// Whether methods are compared by errors, so that there is a trivial one.
  bool counts_errors() const noexcept {
    return reading.metric == "error_rate" || reading.metric == "rmse";
  }
};

/// The verb's own options.
void add_suggest_options(options::options_description& described);

/// Throws UsageError.
SuggestTask suggest_task(const options::variables_map& values, const Verb& verb);

/// Properties of the data, once read.
struct DataFacts {
  std::size_t rows = 0;
  Layout layout;
  std::map<std::string, std::size_t> classes;  ///< number of samples by class
  double deviation = 0;                        ///< of the numbers to predict, from their mean
  std::set<std::string> remarks;  ///< what the source has to say of the file: filled-in values

  /// The metric of always predicting the largest class, or the mean.
  double trivial_error() const;
};

/// Reads the data that the pipeline names. Throws Error, also if the labels do not look like
/// classes, and if there are several numbers to predict.
DataFacts data_facts(const SuggestTask& task, const Pipeline& pipeline, const Catalogue& catalogue,
                     RunOptions settings);

/// The share of the samples to test on that leaves at most task.rows for training.
double test_fraction(const SuggestTask& task, const DataFacts& facts);

/// The pipeline as a study of one method over all splits; errors are printed.
std::optional<Study> checked_candidate(const Candidate& candidate, const SuggestTask& task,
                                       const Catalogue& catalogue);

/// The outcome for the candidates.
struct SearchResult {
  Suggestion found;
  std::vector<std::string> failed;      ///< methods, with the reason
  std::vector<std::string> unfinished;  ///< methods skipped by the deadline or Ctrl-C
  RunEnd end = RunEnd::done;
};

/// Studies one candidate after another in settings.out, until the deadline. Nothing if one is not a
/// valid pipeline: the reason is printed.
std::optional<SearchResult> try_candidates(const SuggestTask& task, const DataFacts& facts,
                                           const Catalogue& catalogue, const RunOptions& settings);

}  // namespace semblance::cli
