// SPDX-License-Identifier: MIT
#include "cli/prediction_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>

#include "semblance/error.hpp"

namespace semblance::cli {
namespace {

/// Takes a CSV file (RFC 4180) apart, record by record; of each the first three fields are kept.
class Records {
 public:
  explicit Records(std::string content) : content_(std::move(content)) {}

  std::optional<std::vector<std::string>> next() {
    if (at_ >= content_.size()) return std::nullopt;
    std::vector<std::string> fields;
    for (bool more = true; more;) {
      std::string field = content_[at_] == '"' ? quoted() : plain();
      if (fields.size() < 3) fields.push_back(std::move(field));
      more = at_ < content_.size() && content_[at_] == ',';
      if (at_ < content_.size()) ++at_;
      if (more && at_ >= content_.size()) break;
    }
    return fields;
  }

 private:
  std::string plain() {
    const std::size_t end = std::min(content_.find_first_of(",\n", at_), content_.size());
    const std::string field = content_.substr(at_, end - at_);
    at_ = end;
    return field;
  }

  std::string quoted() {
    std::string field;
    for (++at_; at_ < content_.size(); ++at_) {
      if (content_[at_] == '"' && (++at_ >= content_.size() || content_[at_] != '"')) break;
      field += content_[at_];
    }
    return field;
  }

  std::string content_;
  std::size_t at_ = 0;
};

/// Where a row stood in the data: any number, since others may have been set aside before it.
bool is_row_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

PredictionRows read_prediction_rows(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error("cannot read '" + file.string() + "'");
  Records records({std::istreambuf_iterator<char>(in), {}});
  const auto heading = records.next();
  if (heading != std::vector<std::string>{"row", "label", "predicted"})
    throw Error("'" + file.string() + "' is not a file of predictions");
  PredictionRows rows;
  std::size_t unknown = 0, row = 0;
  for (; const auto fields = records.next(); ++row) {
    if (fields->size() != 3 || !is_row_number((*fields)[0]))
      throw Error(
          fmt::format("'{}' is damaged: row {} is not where it should be", file.string(), row));
    unknown += (*fields)[1].empty() ? 1 : 0;
    rows.correct.push_back((*fields)[1] == (*fields)[2] ? 1 : 0);
    rows.labels += (*fields)[1] + "\n";
  }
  if (unknown > 0) rows.correct.clear();
  return rows;
}

}  // namespace semblance::cli
