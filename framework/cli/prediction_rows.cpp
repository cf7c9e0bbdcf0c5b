// SPDX-License-Identifier: MIT
#include "cli/prediction_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

#include "semblance/error.hpp"

namespace semblance::cli {
namespace {

/// Splits a CSV file (RFC 4180) into records; the first four fields of each are stored.
class Records {
 public:
  explicit Records(std::string content) : content_(std::move(content)) {}

  std::optional<std::vector<std::string>> next() {
    if (at_ >= content_.size()) return std::nullopt;
    std::vector<std::string> fields;
    for (bool more = true; more;) {
      std::string field = content_[at_] == '"' ? quoted() : plain();
      if (fields.size() < 4) fields.push_back(std::move(field));
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

/// The number of a row in the data: any number, since earlier rows may have been set aside.
bool is_row_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

bool starts_with(const std::vector<std::string>& fields, std::vector<std::string> names) {
  return fields.size() >= names.size() && std::equal(names.begin(), names.end(), fields.begin());
}

/// The class of a pair according to its score.
std::string side_of(const std::string& score) {
  return std::strtod(score.c_str(), nullptr) > 0 ? "same" : "different";
}

}  // namespace

std::vector<std::uint8_t> read_prediction_rows(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error("cannot read '" + file.string() + "'");
  Records records({std::istreambuf_iterator<char>(in), {}});
  const auto heading = records.next().value_or(std::vector<std::string>());
  const bool of_pairs = starts_with(heading, {"first", "second", "label", "score"});
  if (!of_pairs && !starts_with(heading, {"row", "label", "predicted"}))
    throw Error("'" + file.string() + "' is not a predictions file");
  std::vector<std::uint8_t> correct;
  std::size_t unknown = 0, row = 0;
  for (; const auto fields = records.next(); ++row) {
    if (fields->size() < (of_pairs ? 4 : 3) || !is_row_number((*fields)[0]))
      throw Error(fmt::format("'{}' is damaged: row {} is out of place", file.string(), row));
    const std::string& label = (*fields)[of_pairs ? 2 : 1];
    unknown += label.empty() ? 1 : 0;
    correct.push_back(label == (of_pairs ? side_of(fields->back()) : (*fields)[2]) ? 1 : 0);
  }
  if (unknown > 0) correct.clear();
  return correct;
}

}  // namespace semblance::cli
