// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semblance/component.hpp"

namespace semblance {

/// What a data set looks like, without its values. Training rows come first: rows
/// [0, train_rows) are for learning, [train_rows, train_rows + test_rows) for testing.
struct Outline {
  Layout layout;
  std::size_t train_rows = 0;
  std::size_t test_rows = 0;
  std::vector<std::string> classes;  ///< names; empty when the data carry no labels
  /// Names of a row's values, one each, where the data name them; else empty.
  std::vector<std::string> columns = {};
  /// How many rows the data had that training rows were taken from: their numbers
  /// (Dataset::number()) are below it. 0: as many as there are training rows.
  std::size_t numbered_rows = 0;
  /// Where samples differ in size: how many values all rows have together. 0: as many as the
  /// layout allows.
  std::size_t values = 0;
  /// So many rows, from the first on, lie in memory already, one behind the other, in a program
  /// that has handed them over: Dataset::in_place() gives them, and they are never copied as a
  /// whole.
  std::size_t rows_in_place = 0;

  std::size_t rows() const noexcept { return train_rows + test_rows; }
};

/// An opened data set. Keeps values in their compact form (bytes stay bytes).
class Dataset {
 public:
  virtual ~Dataset();
  virtual const Outline& outline() const noexcept = 0;

  /// One a row, an index into the outline's classes; -1 where a test row has none.
  virtual std::span<const std::int32_t> labels() const noexcept = 0;

  /// How much each row counts (TrainingSet::weights), one a row; empty: 1 each.
  virtual std::span<const double> weights() const noexcept { return {}; }

  /// Which rows belong together, as those of one patient: rows with the same number, not negative,
  /// are never divided among the folds of a cross-validation. One a row; a test row may have -1:
  /// its group is not known. Empty: rows have no groups.
  virtual std::span<const std::int32_t> groups() const noexcept { return {}; }

  /// How many values a row has. Thread-safe. As it is: the layout's size.
  virtual std::size_t values(std::size_t row) const;

  /// Fills `out` (n x layout size) with rows [first, first + n), each of the size that values()
  /// says. Thread-safe.
  virtual void read(std::size_t first, MutableMatrixView out) const = 0;

  /// What the data set holds in memory.
  virtual std::size_t bytes() const noexcept = 0;

  /// Where a row stood in the user's data, from 0, before rows were set aside, drawn or put in
  /// another order; rows of a second file go on where those of the first end. No two rows have the
  /// same number. Thread-safe.
  virtual std::int64_t number(std::size_t row) const { return static_cast<std::int64_t>(row); }

  /// What the user's data call a row, such as the name of a picture's file; empty where they have
  /// no name for it. Thread-safe.
  virtual std::string name(std::size_t) const { return {}; }

  /// Rows [first, first + count) as they lie in memory, where they do so as read() would give them;
  /// without data where they do not. They stay there as long as the data set lives. Thread-safe. As
  /// it is: without data.
  virtual MatrixView in_place(std::size_t first, std::size_t count) const noexcept;
};

/// What a trained model says of the rows that it takes, and what it shall be applied to.
struct NewData {
  std::string path;  ///< the file or folder to read; empty: what the source's parameters name
  Layout layout;     ///< of the rows that the model was trained on
  std::vector<std::string> classes;
  std::vector<std::string> columns;  ///< names of a row's values, if they had names
  /// Names of the source's parameters that the user has given for the new data; all others were the
  /// training run's.
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

  /// A trained model is applied: from now on files(), outline() and open() are about all rows of
  /// the new data, all of them test rows in the order in which the data have them; what parameters
  /// say of setting rows aside or drawing some does not apply, and such a parameter that is given
  /// for the new data is refused. Values are given in the order of
  /// the model's columns, where both have names, and as many as its layout has where the data
  /// leave that open (sparse rows). Throws Error where the source reads no files, or no others than
  /// its own. As it is: throws where a path is given, else changes nothing.
  virtual void apply_model(const NewData& data);

  /// Sizes only, as cheaply as possible (headers); used by `plan` and for checking. May fall back
  /// on opening the data.
  virtual Outline outline(Context& context) const = 0;

  /// Reads and checks the data. Throws DataError saying file, place, problem and remedy.
  virtual std::unique_ptr<Dataset> open(Context& context) const = 0;

  /// Whether values may be missing with these parameters: they are NaN then. A pipeline where
  /// anything but a component that is declared takes_missing() takes the rows is refused. As it is:
  /// no, and all values are finite.
  virtual bool keeps_missing() const { return false; }

  /// Whether reading the files takes much longer than reading as many bytes, as of text. What was
  /// read is left in the artifact store then, as arrays, and the next run takes it from there; what
  /// open() gives must follow from the parameters, the seed and the files' content alone. As it is:
  /// no.
  virtual bool reads_slowly() const { return false; }

  /// Whether rows have weights with these parameters (Dataset::weights()). A pipeline where a
  /// solver that is not declared takes_weights() learns from the rows is refused. As it is: no.
  virtual bool gives_weights() const { return false; }

  /// Whether rows have groups with these parameters (Dataset::groups()). As it is: no.
  virtual bool gives_groups() const { return false; }
};

}  // namespace semblance
