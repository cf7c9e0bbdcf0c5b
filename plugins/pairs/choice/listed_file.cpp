// SPDX-License-Identifier: MIT
#include "choice/listed_file.hpp"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "semblance/error.hpp"

namespace semblance::pairs {
namespace {

constexpr std::int64_t most_folds = 10000;

std::optional<std::int64_t> positive_number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || value < 1) return std::nullopt;
  return value;
}

class Reader {
 public:
  Reader(const std::string& path, std::size_t memory) : path_(path), in_(path, std::ios::binary) {
    if (!in_) throw DataError(path, "", "cannot be read; name a file that lists pairs");
    // A pair takes at least 8 characters, and some 20 times as much when it is read.
    std::error_code failure;
    const auto size = std::filesystem::file_size(path, failure);
    if (failure) throw DataError(path, "", "is not a file; name a file that lists pairs");
    if (size > memory / 20)
      throw DataError(
          path, "",
          "is too large for the " + std::to_string(memory >> 20) +
              " MiB of memory left; check that it is the right file, or allow more with --memory");
  }

  std::vector<std::vector<NamedPair>> read() {
    const auto head = next("the number of pairs");
    const auto folds = head.size() == 2 ? positive_number(head[0]) : std::optional<std::int64_t>(1);
    const auto pairs = head.empty() ? std::nullopt : positive_number(head.back());
    if (head.size() > 2 || !folds || !pairs || *folds > most_folds)
      fail("the first line must be 'FOLDS PAIRS' or 'PAIRS', positive integers");
    std::vector<std::vector<NamedPair>> all;
    for (std::int64_t f = 0; f < *folds; ++f) {
      all.emplace_back();
      for (std::int64_t p = 0; p < *pairs; ++p) all.back().push_back(positive());
      for (std::int64_t p = 0; p < *pairs; ++p) all.back().push_back(negative());
    }
    for (std::string text; std::getline(in_, text);) {
      ++line_;
      if (text.find_first_not_of(" \t\r") != std::string::npos)
        fail("there are more lines than the first line declares");
    }
    return all;
  }

 private:
  std::vector<std::string> next(const char* what) {
    std::string text;
    ++line_;
    if (!std::getline(in_, text)) fail(std::string("the file ends before ") + what);
    std::istringstream words(text);
    std::vector<std::string> fields;
    for (std::string word; words >> word;) fields.push_back(word);
    return fields;
  }

  NamedPair positive() {
    const auto fields = next("all pairs that its first line declares");
    if (fields.size() != 3) fail("a positive pair must be 'NAME NUMBER NUMBER'");
    return {{fields[0], number(fields[1])}, {fields[0], number(fields[2])}, true, line_};
  }

  NamedPair negative() {
    const auto fields = next("all pairs that its first line declares");
    if (fields.size() != 4) fail("a negative pair must be 'NAME NUMBER NAME NUMBER'");
    return {{fields[0], number(fields[1])}, {fields[2], number(fields[3])}, false, line_};
  }

  std::int64_t number(const std::string& text) {
    const auto value = positive_number(text);
    if (!value) fail("'" + text + "' is not a sample's number; numbers count from 1");
    return *value;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw DataError(path_, "line " + std::to_string(line_), what);
  }

  std::string path_;
  std::ifstream in_;
  std::size_t line_ = 0;
};

}  // namespace

std::vector<std::vector<NamedPair>> read_protocol(const std::string& path, std::size_t memory) {
  return Reader(path, memory).read();
}

}  // namespace semblance::pairs
