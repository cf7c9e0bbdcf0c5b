// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rows/fact_columns.hpp"
#include "rows/row_dataset.hpp"
#include "rows/row_facts.hpp"
#include "semblance/declaration.hpp"
#include "semblance/random.hpp"
#include "semblance/source.hpp"

namespace semblance::sources {

/// The common base of sources with one table: a file, optionally a second one with the test
/// samples, and other ways of setting test samples aside.
class TableSource : public Source {
 public:
  TargetKind target_kind() const override;
  bool selects_rows() const override { return true; }
  bool gives_weights() const override { return !weight_.empty(); }
  bool gives_groups() const override { return !groups_.empty(); }
  void check_parameters() const override;
  void apply_model(const NewData& data) override;
  std::vector<std::string> files() const override;
  Outline outline(Context& context) const override;

 protected:
  /// How a format says what rows are predicted as.
  enum class Answers {
    classes,  ///< a row has a class, or none
    words,    ///< 'target' says whether what a row has is its class or a number to predict
    columns   ///< 'label' and 'target' name columns
  };
  /// `label`: the default of 'label': a column, or present.
  explicit TableSource(Answers answers = Answers::classes, const std::string& label = "present")
      : label_(label), answers_(answers), usual_label_(label) {}

  /// Where a format has what is known of its rows: words that complete the documentation of its
  /// parameters. Null: it has no such parameter.
  struct Places {
    const char* label_column = nullptr;   ///< what 'label' names: "a column, by name or number"
    const char* label_place = nullptr;    ///< or the only place of a class: "the first field"
    const char* target_column = nullptr;  ///< what 'target' names
    const char* target_word = nullptr;    ///< or what 'target' says: classes or numbers
    const char* facts = nullptr;  ///< what 'id', 'weight' and 'groups' name; empty: 'beside' alone
    bool classes = true;          ///< labels are texts, so that they may be missing or too many
  };
  /// Adds 'path', a text file of `content`.
  template <class T>
  static void declare_text_file(Declaration<T>& declaration, const std::string& content) {
    declaration.parameter("path", &TableSource::path_,
                          content + ", plain or as .gz, .xz, .bz2 or .zst", required());
  }
  /// Adds the parameters of what is known of rows, and of which are set aside for testing.
  template <class T>
  static void declare_rows(Declaration<T>& declaration, const Places& places) {
    if (places.label_column)
      declaration.parameter("label", &TableSource::label_,
                            "the class: " + std::string(places.label_column) +
                                "; none: rows have no labels, as for novelty detectors" +
                                (places.target_column ? ". Rows with 'target' have no label" : ""));
    if (places.label_place)
      declaration.parameter("label", &TableSource::label_,
                            std::string(places.label_place) +
                                "; none: rows have no class, and those that a file gives are "
                                "ignored, as for novelty detectors",
                            choices({"present", "none"}));
    if (places.target_column)
      declaration.parameter("target", &TableSource::target_columns_,
                            std::string(places.target_column) +
                                " with the number to predict, for regression, or a list of "
                                "several; they are not values, and rows have no label then. New "
                                "data may lack them");
    if (places.target_word)
      declaration.parameter("target", &TableSource::target_word_, places.target_word,
                            choices({"classes", "numbers"}));
    if (places.facts) declare_facts(declaration, places.facts);
    declare_split(declaration, places.facts != nullptr);
    if (places.classes) declare_classes(declaration);
  }

  /// Adds the parameters of which rows are set aside for testing; `grouped`: they may have groups.
  template <class T>
  static void declare_split(Declaration<T>& declaration, bool grouped) {
    declaration
        .parameter("test_path", &TableSource::test_path_, "file with the test rows", optional())
        .parameter("test_class_fraction", &TableSource::test_class_fraction_,
                   "share of the classes to set aside for testing with all their rows, drawn by "
                   "the seed: pairs of unseen classes",
                   at_least(0), below(1))
        .parameter("test_rows", &TableSource::test_rows_,
                   "number of rows at the end of the file to test on", at_least(0))
        .parameter("new_test_classes", &TableSource::new_test_classes_,
                   "accept test rows of classes without training rows, as in pair verification")
        .parameter("role", &TableSource::role_, "what the rows of 'path' are for",
                   choices({"train", "test"}));
    declare_fraction(declaration, grouped);
  }
  /// Adds those of a share of rows that is drawn.
  template <class T>
  static void declare_fraction(Declaration<T>& declaration, bool grouped) {
    declaration.parameter("test_fraction", &TableSource::test_fraction_,
                          "share of each class's rows to set aside for testing, drawn by the "
                          "seed; of rows with targets, evenly over the range of the first target",
                          at_least(0), below(1));
    if (grouped)
      declaration.parameter(
          "split_by", &TableSource::split_by_,
          "what 'test_fraction' keeps together: the rows of a group ('groups'), or single rows; "
          "auto: groups if there are some",
          choices({"auto", "group", "row"}));
  }
  /// Adds parameters for tables whose labels may be any column.
  template <class T>
  static void declare_classes(Declaration<T>& declaration) {
    declaration.parameter(
        "many_classes", &TableSource::many_classes_,
        "accept labels that name more than a hundred classes with fewer than two rows each on "
        "average, or ten or more with nearly one row each, which otherwise look like a continuous "
        "column and are refused");
    declaration.parameter(
        "missing_labels", &TableSource::missing_labels_,
        "what to do with rows whose label is missing: refuse them, drop them, or take NA and the "
        "like as the names of classes. New data for a model need no labels",
        choices({"refuse", "drop", "classes"}));
  }

  /// Warns of test rows whose groups are unknown or have training rows as well.
  void warn_of_groups(const Split& parts, std::span<const std::int32_t> groups,
                      Context& context) const;
  /// The first `first` rows come from path, the remaining ones from test_path: the numbers
  /// of training samples are below `first`. Rows without a label are split like those of one class.
  /// Rows with left_out_label are on neither side. Throws
  /// DataError if no training samples remain.
  Split split(std::size_t first, const RowFacts& facts, Context& context) const;

  /// Makes the data set of rows: sorts classes, splits, and checks that all test classes have
  /// training samples.
  std::unique_ptr<Dataset> finish(const Layout& layout, RowFacts facts,
                                  std::unique_ptr<const RowValues> values, std::size_t first,
                                  Context& context) const;

  /// Adds what 'beside' says, sorts classes, splits, and checks that all test classes have training
  /// samples. `numbered_rows`: if rows were omitted, the number of those of path before.
  /// `chosen`: a split of the caller's own.
  Split finish_facts(RowFacts& facts, std::size_t first, Context& context,
                     std::optional<std::size_t> numbered_rows = {},
                     std::optional<Split> chosen = {}) const;

  /// Reads the files with read(file, rules), which appends to `facts`; there may be no `test`.
  /// Returns the number of rows of `train`.
  template <class Read>
  std::size_t read_files(const std::string& train, const std::string& test, const RowFacts& facts,
                         const Read& read) const {
    FactRules rules = fact_rules();
    read(train, rules);
    const std::size_t first = facts.rows();
    if (!test.empty()) {
      forgive_test_rows(facts, rules);
      read(test, rules);
    }
    return first;
  }
  /// How rows of path are read.
  FactRules fact_rules() const;
  /// Changes them to those of rows that are only tested.
  void forgive_test_rows(const RowFacts& facts, FactRules& rules) const;
  /// Checks labels and targets of all files; `target` names target k: "the target in column 3".
  void check_facts(const RowFacts& facts, const std::function<std::string(std::size_t)>& target,
                   Context& context) const;
  void check_facts(const RowFacts& facts, Context& context) const;

  /// Throws DataError if the labels of a table look like no classes; see declare_classes(). Warns
  /// if they may be measurements.
  void check_labels(std::span<const std::int32_t> labels, const ClassNames& classes,
                    Context& context) const;

  /// How labels are read as numbers to predict: "set 'target: numbers'"; empty: not at all.
  virtual std::string way_to_numbers() const;

  /// The number of leading rows of path that are for training, where none are drawn.
  std::size_t training_rows(std::size_t rows) const;
  std::string train_file() const;
  std::string test_file() const;  ///< empty when there is none
  /// The argument of apply_model(); null while a model is trained.
  const NewData* model() const { return model_ ? &*model_ : nullptr; }
  /// The rule for reading labels; `declared`: by the file's declarations, see LabelRule.
  LabelRule label_rule(bool declared = false) const;
  /// Whether all rows are for testing.
  bool tests_all_rows() const { return role_ == "test" || model_; }
  /// Whether rows may be without a label or target: they are for testing, or have none at all.
  bool may_lack_labels() const { return tests_all_rows() || target_kind() == TargetKind::none; }
  /// Whether 'id', 'weight' and 'groups' name columns of another table; else they name what the
  /// format has.
  bool has_beside() const { return !beside_.value.empty(); }
  std::string beside_file() const;  ///< empty when there is none
  /// Sets the columns of a table, but for those that 'beside' has.
  void name_facts(FactNames& names) const;
  /// Throws Error if 'id', 'weight' or 'groups' names what this file, which has no columns, lacks.
  void check_has_beside() const;
  /// Whether `label: none` says that rows have no class; see Places::label_place.
  bool ignores_labels() const { return answers_ != Answers::columns && label_ == "none"; }

  std::string label_;                        ///< name or number of a column, present, or none
  std::vector<std::string> target_columns_;  ///< names or numbers of columns
  Path path_;
  Path test_path_;
  double test_fraction_ = 0;
  double test_class_fraction_ = 0;
  std::int64_t test_rows_ = 0;
  bool new_test_classes_ = false;
  bool many_classes_ = false;
  std::string missing_labels_ = "refuse";
  bool resample_ = false;  ///< draw the training rows anew; see resampled_split()
  std::string role_ = "train";
  std::string split_by_ = "auto";
  std::string id_;      ///< name or number of a column, or what the format has; empty: none
  std::string weight_;  ///< the same
  std::string groups_;  ///< the same

 private:
  /// Adds the parameters of what is known of rows besides their class: their names, weights and
  /// groups. `column` is what the format has in place of a column of a table; empty: nothing, so
  /// that a table beside it is needed.
  template <class T>
  static void declare_facts(Declaration<T>& declaration, const std::string& column) {
    const std::string of = column.empty() ? "the column of 'beside'"
                                          : column +
                                                ", or the column of "
                                                "'beside',";
    declaration
        .parameter("beside", &TableSource::beside_,
                   "a table with a row for each row of 'path', in the same order, whose columns "
                   "'id', 'weight' and 'groups' name",
                   optional())
        .parameter("id", &TableSource::id_,
                   of + " that names the rows: its values appear in the predictions and are used "
                        "for nothing else")
        .parameter("weight", &TableSource::weight_,
                   of +
                       " that says how much each training row counts for the solver: 2 is like the "
                       "row twice, 0 like no row")
        .parameter("groups", &TableSource::groups_,
                   of +
                       " that says which rows belong together, such as those of one patient: folds "
                       "and 'test_fraction' never divide them");
  }

  void check_beside() const;
  void add_beside(RowFacts& facts, std::size_t first, std::size_t rows, Context& context) const;
  void check_suits_numbers() const;
  void check_suits_unlabelled() const;
  std::size_t first_test_row(const Split& parts, std::size_t first) const;

  void check_answers() const;

  Answers answers_;
  std::string usual_label_;
  std::string target_word_ = "classes";
  Path beside_;
  std::optional<NewData> model_;
};

/// Throws Error if one of these parameters, which set rows aside in training, was given for new
/// data. Parameters whose value sets nothing aside are not in the list.
void refuse_splits(const NewData& data, std::initializer_list<const char*> parameters);

/// Throws Error if one of these parameters, which a trained model fixes, was given for new data.
void refuse_fixed(const NewData& data, std::initializer_list<const char*> parameters);

/// Takes round(fraction x size) rows of each class for testing, but always leaves one for training.
/// Rows keep their order on both sides.
Split stratified_split(std::span<const std::int32_t> labels, double fraction, Random random);

/// Draws the training rows anew: as many of each class as the first `first` rows have. Rows without
/// a label stay where they are, and all keep their order on both sides.
Split resampled_split(std::span<const std::int32_t> labels, std::size_t first, Random random);

/// Takes round(fraction x size) rows for testing, but always leaves one for training. They are
/// drawn evenly over the range of the first target: the rows, in its order, are divided into as
/// many runs as rows are drawn, or as remain if these are fewer, and one row of each run is drawn.
/// Rows without a target (NaN) are for training. Rows keep their order on both sides.
Split quantile_split(const RowTargets& targets, double fraction, Random random);

/// Takes whole groups, so that about this share of each class's rows is for testing. A class with a
/// single group is for training, as are rows without a label (negative). Throws Error if no group
/// can be taken.
Split grouped_split(std::span<const std::int32_t> labels, std::span<const std::int32_t> groups,
                    double fraction, Random random);

/// Draws test rows by one of these three: whole groups if there are some (not evenly over targets),
/// else rows of each class, or rows over the range of the targets. Rows none of which has a label
/// or target are drawn like those of one class.
Split drawn_split(std::span<const std::int32_t> labels, const RowTargets& targets,
                  std::span<const std::int32_t> groups, double fraction, Random random);

/// Takes all rows of round(fraction x number) classes for testing, at least one class and not all;
/// rows keep their order on both sides, and those without a label are for training. Throws Error if
/// there are fewer than two classes.
Split class_split(std::span<const std::int32_t> labels, double fraction, Random random);

}  // namespace semblance::sources
