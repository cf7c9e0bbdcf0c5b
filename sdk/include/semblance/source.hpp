// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "semblance/component.hpp"
#include "semblance/target.hpp"
#include "semblance/wanted_rows.hpp"

namespace semblance {

class NamedPairs;
class RowLines;

/// The shape of a data set, without its values. Training samples come first: rows [0, train_rows)
/// are for training, [train_rows, train_rows + test_rows) for testing.
struct Outline {
  Layout layout;
  std::size_t train_rows = 0;
  std::size_t test_rows = 0;
  std::vector<std::string> classes;  ///< names; empty when the data carry no labels
  /// Names of a row's values, if the data name them; else empty.
  std::vector<std::string> columns = {};
  /// The number of rows of the data from which the training samples were taken. Their numbers
  /// (Dataset::number()) are below it. 0: the number of training samples.
  std::size_t numbered_rows = 0;
  /// The total number of values, if samples differ in size. 0: as many as the layout allows.
  std::size_t values = 0;
  /// The number of leading rows that are already contiguous in memory, handed over by a program.
  /// Dataset::in_place() gives them, and they are never copied as a whole.
  std::size_t rows_in_place = 0;
  /// Names of the numbers to predict (Dataset::targets()), if the target is numbers; else empty.
  std::vector<std::string> targets = {};

  std::size_t rows() const noexcept { return train_rows + test_rows; }
};

/// An opened data set. Holds values in their compact form (bytes stay bytes).
class Dataset {
 public:
  virtual ~Dataset();
  virtual const Outline& outline() const noexcept = 0;

  /// One per row: an index into the outline's classes; -1 for a test sample without a label, and
  /// for all samples if the target is numbers.
  virtual std::span<const std::int32_t> labels() const noexcept = 0;

  /// If the target is numbers: rows x outline().targets.size(), row-major. Finite; NaN for a number
  /// of a test sample that is not known. Otherwise empty.
  virtual std::span<const double> targets() const noexcept { return {}; }

  /// The weight of each row (TrainingSet::weights); empty: 1 each.
  virtual std::span<const double> weights() const noexcept { return {}; }

  /// The group of each row, such as a patient: a number that is not negative. Rows of one group are
  /// never split among the folds of a cross-validation. A test sample may have -1: unknown. Empty:
  /// no groups.
  virtual std::span<const std::int32_t> groups() const noexcept { return {}; }

  /// The number of values of a row; by default the layout's size. Thread-safe.
  virtual std::size_t values(std::size_t row) const;

  /// Fills `out` (n x layout size) with rows [first, first + n), each of size values().
  /// Thread-safe.
  virtual void read(std::size_t first, MutableMatrixView out) const = 0;

  /// The memory that the data set occupies.
  virtual std::size_t bytes() const noexcept = 0;

  /// The position of a row in the user's data, from 0, before rows were set aside, drawn or
  /// reordered. Rows of a second file continue the numbers of the first. No two rows have the same
  /// number. Thread-safe.
  virtual std::int64_t number(std::size_t row) const { return static_cast<std::int64_t>(row); }

  /// The name of a row in the user's data, such as the name of an image file; empty if it has none.
  /// Thread-safe.
  virtual std::string name(std::size_t) const { return {}; }

  /// Rows [first, first + count) in memory, if they are stored as read() would give them; else a
  /// view without data, which is the default. They stay valid as long as the data set. Thread-safe.
  virtual MatrixView in_place(std::size_t first, std::size_t count) const noexcept;
};

/// A trained model's requirements for its rows, and the data it is applied to.
struct NewData {
  std::string path;  ///< the file or folder to read; empty: that of the source's parameters
  Layout layout;     ///< of the model's training samples
  std::vector<std::string> classes;
  std::vector<std::string> columns;       ///< names of a row's values, if any
  std::vector<std::string> targets = {};  ///< names of the numbers to predict, if any
  /// Names of the source's parameters that the user has set for the new data; all others come from
  /// the training run.
  std::vector<std::string> given = {};

  bool gives(std::string_view parameter) const noexcept {
    return std::find(given.begin(), given.end(), parameter) != given.end();
  }
};

/// Kind `source`: where samples come from.
class Source : public Component {
 public:
  static const KindInfo& kind_info();
  ~Source() override;

  /// Prepares the source for applying a trained model. From now on files(), outline() and open()
  /// concern all rows of the new data, as test samples in the order of the data. Parameters that
  /// set rows aside or draw some have no effect, and are refused if given for the new data. Values
  /// are in the order of the model's columns if both have names, and have the size of the model's
  /// layout if the data leave it open (sparse rows). Throws Error if the source reads no files, or
  /// only its own. The default throws if a path is given, else does nothing.
  virtual void apply_model(const NewData& data);

  /// The sizes only, as cheaply as possible (headers); used by `plan` and for checks. May fall back
  /// on opening the data.
  virtual Outline outline(Context& context) const = 0;

  /// Reads and checks the data. Throws DataError saying file, place, problem and remedy.
  virtual std::unique_ptr<Dataset> open(Context& context) const = 0;

  /// What the samples are to be predicted as with these parameters. A pipeline is refused if a
  /// component that learns from other targets takes the rows. By default, classes.
  virtual TargetKind target_kind() const { return TargetKind::classes; }

  /// Whether values may be missing (NaN) with these parameters. A pipeline is refused if a
  /// component that is not declared takes_missing() takes the rows. By default, no: all values are
  /// finite.
  virtual bool keeps_missing() const { return false; }

  /// Whether reading the files takes much longer than reading their bytes, as for text. The data
  /// are then stored in the artifact store as arrays for later runs. The result of open() must
  /// depend only on the parameters, the seed and the content of the files. By default, no.
  virtual bool reads_slowly() const { return false; }

  /// Whether rows have weights with these parameters (Dataset::weights()). A pipeline is refused if
  /// a solver that is not declared takes_weights() learns from the rows. By default, no.
  virtual bool gives_weights() const { return false; }

  /// Whether rows have groups with these parameters (Dataset::groups()). By default, no.
  virtual bool gives_groups() const { return false; }

  /// A reader of lines in the format of the source's files for this model, which must outlive it.
  /// nullptr, the default, if the files do not have one row per line.
  virtual std::unique_ptr<RowLines> lines(const NewData& model) const;

  /// Whether a row may have a category that the model does not know, which then counts as no
  /// category. By default, no.
  virtual bool accepts_unknown_categories() const { return false; }

  /// Whether models can score pairs of named samples that are not in a file. By default, no.
  virtual bool names_pairs() const { return false; }

  /// If names_pairs(): reads the samples of both sides. Call apply_model() before.
  virtual std::unique_ptr<NamedPairs> open_samples(Context& context) const;

  /// Whether open() heeds keep_only(), for distributed training where each process reads its own
  /// rows. By default, no.
  virtual bool selects_rows() const { return false; }

  /// Restricts the data set's values to these rows. outline() and open() still cover all rows with
  /// their labels, numbers, names and sizes. Values of the other rows are checked but not stored,
  /// and need not fit into memory.
  void keep_only(WantedRows rows) { wanted_ = std::move(rows); }

  /// The rows passed to keep_only().
  const WantedRows& wanted() const noexcept { return wanted_; }

 private:
  WantedRows wanted_;
};

}  // namespace semblance
