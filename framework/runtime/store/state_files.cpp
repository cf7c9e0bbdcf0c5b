// SPDX-License-Identifier: MIT
#include "runtime/store/state_files.hpp"

#include <bit>
#include <cmath>

#include "semblance/error.hpp"
#include "support/files/npy.hpp"
#include "support/json_text.hpp"

namespace semblance {
namespace {

void check_name(std::string_view name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  for (const char c : name)
    if (!allowed(c)) name = {};
  if (name.empty())
    throw Error("the name of a state entry must consist of letters, digits and underscores");
}

}  // namespace

StateFolderWriter::StateFolderWriter(Folder folder) : folder_(std::move(folder)) { folder_.make(); }

void StateFolderWriter::put(std::string_view name, nlohmann::ordered_json entry) {
  check_name(name);
  if (entries_.contains(name))
    throw Error("state entry '" + std::string(name) + "' is written twice");
  entries_[std::string(name)] = std::move(entry);
}

void StateFolderWriter::put_array(std::string_view name, std::string content) {
  put(name, {{"type", "array"}});
  write_array(std::string(name), std::move(content));
}

void StateFolderWriter::write_array(const std::string& name, std::string content) const {
  folder_.write(name + ".npy", std::move(content));
}

void StateFolderWriter::integer(std::string_view name, std::int64_t value) {
  put(name, {{"type", "integer"}, {"value", value}});
}

void StateFolderWriter::number(std::string_view name, double value) {
  // Stores the bits as well: JSON has neither infinity nor NaN.
  put(name, {{"type", "number"}, {"value", value}, {"bits", std::bit_cast<std::uint64_t>(value)}});
}

void StateFolderWriter::text(std::string_view name, std::string_view value) {
  put(name, {{"type", "text"}, {"value", value}});
}

void StateFolderWriter::floats(std::string_view name, MatrixView values) {
  if (!values.ragged()) return put_array(name, npy::to_bytes(values));
  const FloatMatrix rows(values);
  const std::vector<std::int64_t> offsets(rows.offsets.begin(), rows.offsets.end());
  MatrixView all{rows.values.data(), 1, rows.values.size(), rows.values.size()};
  put(name, {{"type", rows.is_sparse ? "sparse rows" : "rows"}, {"largest", rows.cols}});
  write_array(std::string(name), npy::to_bytes(all));
  write_array(std::string(name) + ".offsets", npy::to_bytes(offsets));
  if (!rows.is_sparse) return;
  const std::vector<std::int64_t> columns(rows.columns.begin(), rows.columns.end());
  write_array(std::string(name) + ".columns", npy::to_bytes(columns));
}

void StateFolderWriter::doubles(std::string_view name, std::span<const double> values) {
  put_array(name, npy::to_bytes(values));
}

void StateFolderWriter::integers(std::string_view name, std::span<const std::int64_t> values) {
  put_array(name, npy::to_bytes(values));
}

void StateFolderWriter::finish() { folder_.write("state.json", entries_.dump(1) + "\n"); }

StateFolderReader::StateFolderReader(Folder folder, Values values)
    : folder_(std::move(folder)), values_(values) {
  const std::string file = path_of("state.json");
  try {
    entries_ = parse_json(folder_.read("state.json"));
  } catch (const nlohmann::json::exception& problem) {
    throw Error("'" + file + "' is damaged: " + json_problem(problem));
  }
  if (!entries_.is_object()) throw Error("'" + file + "' is damaged: not an object");
}

bool StateFolderReader::is_of_type(std::string_view name, const char* type) const {
  const auto found = entries_.find(std::string(name));
  if (found == entries_.end() || !found->is_object()) return false;
  const auto given = found->find("type");
  return given != found->end() && *given == type;
}

const nlohmann::ordered_json& StateFolderReader::entry(std::string_view name,
                                                       const char* type) const {
  if (!is_of_type(name, type))
    throw Error("'" + path_of("state.json") + "' has no " + type + " '" + std::string(name) + "'");
  return entries_.at(std::string(name));
}

std::string StateFolderReader::array(std::string_view name) const {
  entry(name, "array");
  return folder_.read(std::string(name) + ".npy");
}

std::int64_t StateFolderReader::integer(std::string_view name) const {
  try {
    return integer_in<std::int64_t>(entry(name, "integer").at("value"));
  } catch (const nlohmann::json::exception& problem) {
    throw Error("'" + folder_.path().string() + "': " + problem.what());
  }
}

double StateFolderReader::number(std::string_view name) const {
  try {
    const auto read =
        std::bit_cast<double>(integer_in<std::uint64_t>(entry(name, "number").at("bits")));
    check_values<double>(name, {&read, 1});
    return read;
  } catch (const nlohmann::json::exception& problem) {
    throw Error("'" + folder_.path().string() + "': " + problem.what());
  }
}

std::string StateFolderReader::text(std::string_view name) const {
  try {
    return entry(name, "text").at("value").get<std::string>();
  } catch (const nlohmann::json::exception& problem) {
    throw Error("'" + folder_.path().string() + "': " + problem.what());
  }
}

FloatMatrix StateFolderReader::floats(std::string_view name) const {
  if (is_of_type(name, "rows") || is_of_type(name, "sparse rows")) return ragged(name);
  FloatMatrix read = npy::floats(array(name), path_of(name));
  check_values<float>(name, read.values);
  return read;
}

/// Not used where a component may learn such values.
template <class Number>
void StateFolderReader::check_values(std::string_view name, std::span<const Number> values) const {
  if (values_ == Values::any) return;
  for (const Number value : values)
    if (!std::isfinite(value))
      throw Error("'" + path_of(name) + "' has a value that is not finite; train the model again");
}

FloatMatrix StateFolderReader::ragged(std::string_view name) const {
  const std::string file = path_of(name), own(name);
  const auto read = npy::integers(folder_.read(own + ".offsets.npy"), file + ".offsets");
  const FloatMatrix all = npy::floats(folder_.read(own + ".npy"), file);
  std::size_t largest = 0;
  try {
    largest = integer_in<std::size_t>(entries_.at(std::string(name)).at("largest"));
  } catch (const nlohmann::json::exception& problem) {
    throw Error("'" + folder_.path().string() + "': " + problem.what());
  }
  if (read.empty() || read.front() != 0)
    throw Error("'" + file + ".offsets.npy' is damaged: it does not begin with 0");
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i + 1 < read.size(); ++i) {
    if (read[i + 1] < read[i] || static_cast<std::size_t>(read[i + 1] - read[i]) > largest)
      throw Error("'" + file + ".offsets.npy' is damaged: its rows have impossible sizes");
    sizes.push_back(static_cast<std::size_t>(read[i + 1] - read[i]));
  }
  if (static_cast<std::size_t>(read.back()) != all.values.size())
    throw Error("'" + file + ".offsets.npy' is damaged: it does not match its values");
  FloatMatrix rows = FloatMatrix::ragged(largest, sizes);
  rows.values = all.values;
  check_values<float>(name, rows.values);
  if (is_of_type(name, "sparse rows")) read_columns(own, rows);
  return rows;
}

void StateFolderReader::read_columns(const std::string& name, FloatMatrix& rows) const {
  const std::string file = path_of(name);
  const auto read = npy::integers(folder_.read(name + ".columns.npy"), file + ".columns");
  rows.make_sparse();
  const auto refuse = [&](const char* why) {
    throw Error("'" + file + ".columns.npy' is damaged: " + why);
  };
  if (read.size() != rows.columns.size()) refuse("it does not match its values");
  for (std::size_t i = 0; i < rows.rows; ++i)
    for (std::size_t k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k) {
      if (read[k] < 0 || read[k] >= static_cast<std::int64_t>(rows.cols))
        refuse("it names a column that does not exist");
      if (k > rows.offsets[i] && read[k] <= read[k - 1]) refuse("its columns do not ascend");
      rows.columns[k] = static_cast<std::uint32_t>(read[k]);
    }
}

std::vector<double> StateFolderReader::doubles(std::string_view name) const {
  std::vector<double> read = npy::doubles(array(name), path_of(name));
  check_values<double>(name, read);
  return read;
}

std::vector<std::int64_t> StateFolderReader::integers(std::string_view name) const {
  return npy::integers(array(name), path_of(name));
}

}  // namespace semblance
