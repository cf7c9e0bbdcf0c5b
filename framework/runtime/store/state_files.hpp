// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "runtime/store/folder.hpp"
#include "semblance/state.hpp"

namespace semblance {

/// Writes a component's state into a folder: one .npy file per array, and state.json for the rest
/// of the state. Rows that differ in size are two arrays, their values and their offsets; sparse
/// rows have a third, their columns. finish() must be called; the folder is incomplete before.
class StateFolderWriter final : public StateWriter {
 public:
  /// Makes the folder.
  explicit StateFolderWriter(Folder folder);

  void integer(std::string_view name, std::int64_t value) override;
  void number(std::string_view name, double value) override;
  void text(std::string_view name, std::string_view value) override;
  void floats(std::string_view name, MatrixView values) override;
  void doubles(std::string_view name, std::span<const double> values) override;
  void integers(std::string_view name, std::span<const std::int64_t> values) override;
  void finish();

 private:
  void put(std::string_view name, nlohmann::ordered_json entry);
  void put_array(std::string_view name, std::string content);
  void write_array(const std::string& name, std::string content) const;

  Folder folder_;
  nlohmann::ordered_json entries_ = nlohmann::ordered_json::object();
};

/// Reads what StateFolderWriter wrote. Throws Error naming file and entry.
class StateFolderReader final : public StateReader {
 public:
  /// Which values numbers may have.
  enum class Values { any, finite };

  explicit StateFolderReader(Folder folder, Values values = Values::any);

  bool has(std::string_view name) const override { return entries_.contains(std::string(name)); }
  std::int64_t integer(std::string_view name) const override;
  double number(std::string_view name) const override;
  std::string text(std::string_view name) const override;
  FloatMatrix floats(std::string_view name) const override;
  std::vector<double> doubles(std::string_view name) const override;
  std::vector<std::int64_t> integers(std::string_view name) const override;

 private:
  bool is_of_type(std::string_view name, const char* type) const;
  const nlohmann::ordered_json& entry(std::string_view name, const char* type) const;
  std::string array(std::string_view name) const;
  FloatMatrix ragged(std::string_view name) const;
  void read_columns(const std::string& name, FloatMatrix& rows) const;
  std::string path_of(std::string_view name) const { return (folder_.path() / name).string(); }

  template <class Number>
  void check_values(std::string_view name, std::span<const Number> values) const;

  Folder folder_;
  Values values_;
  nlohmann::ordered_json entries_;
};

}  // namespace semblance
