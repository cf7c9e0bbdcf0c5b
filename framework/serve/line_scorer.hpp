// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "serve/answers.hpp"
#include "serve/media_type.hpp"
#include "serve/rows/given_rows.hpp"
#include "serve/rows/json_rows.hpp"
#include "serve/rows/libsvm_rows.hpp"
#include "serve/served_model.hpp"

namespace semblance::serving {

struct LineOptions {
  Form form = Form::csv;  ///< json: one array or object per line
  bool header = false;    ///< for CSV: the first line names the columns
  std::size_t first_index = 1;
  bool scores = false;       ///< the scores of all classes are written as well
  bool json = false;         ///< writes one object per line instead of CSV
  bool keeps_going = false;  ///< a faulty line has an empty answer, null in JSON
};

/// Scores lines: one answer per line, in their order.
class LineScorer {
 public:
  /// Throws Error where the answers cannot be written in this form.
  LineScorer(const ServedModel& model, const LineOptions& options);

  /// The text before all answers.
  std::string heading() const;

  /// Takes the next line. Throws Error naming the line where it is faulty; with `keeps_going`, the
  /// message goes to problems() instead.
  void add(std::string_view line);
  /// The number of lines that wait for answer().
  std::size_t waiting() const noexcept { return is_row_.size(); }
  /// Scores them as one batch and appends their answers.
  void answer(std::string& text);

  /// The errors since the last call.
  std::vector<std::string> problems();
  bool any_wrong() const noexcept { return any_wrong_; }
  std::size_t lines() const noexcept { return lines_; }

 private:
  void read(std::string_view line, bool first);

  const ServedModel& model_;
  LineOptions options_;
  Answers answers_;
  std::unique_ptr<RowLines> csv_;
  JsonRows json_;
  std::vector<float> values_;  ///< of the present line
  LibsvmLines libsvm_;
  GivenRows rows_;
  std::vector<char> is_row_;  ///< one per line
  std::vector<std::string> problems_;
  FloatMatrix scores_;
  std::size_t lines_ = 0;
  bool begun_ = false;  ///< there was a line that is not a preamble
  bool any_wrong_ = false;
};

}  // namespace semblance::serving
