// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "runtime/rows/row_tags.hpp"
#include "runtime/store/kept_rows.hpp"
#include "semblance/source.hpp"

namespace semblance {

/// A data set in a folder of the store, as arrays: rows.npy and the other files of KeptRows, its
/// labels, targets, numbers, names, weights and groups. Rows are mapped, and leave memory once they
/// are read.
class StoredData final : public Dataset {
 public:
  /// Writes a data set's rows into the folder; returns the facts that describe them, which the
  /// caller stores. Throws Error, and Cancelled.
  static nlohmann::ordered_json write(const Dataset& data, const std::filesystem::path& folder,
                                      Context& context);

  /// Throws Error, or an exception of the JSON library, where folder and facts are not from
  /// write().
  StoredData(const std::filesystem::path& folder, const nlohmann::ordered_json& facts);

  const Outline& outline() const noexcept override { return outline_; }
  std::span<const std::int32_t> labels() const noexcept override { return labels_; }
  std::span<const double> targets() const noexcept override { return targets_; }
  std::span<const double> weights() const noexcept override { return weights_; }
  std::span<const std::int32_t> groups() const noexcept override { return groups_; }
  std::size_t values(std::size_t row) const override { return rows_->sizes().values(row, 1); }
  void read(std::size_t first, MutableMatrixView out) const override;
  /// Does not count rows: they leave memory.
  std::size_t bytes() const noexcept override;
  std::int64_t number(std::size_t row) const override { return tags_.number(row); }
  std::string name(std::size_t row) const override {
    return tags_.named() ? tags_.name(row) : std::string();
  }

 private:
  Outline outline_;
  std::vector<std::int32_t> labels_;
  std::vector<double> targets_;
  std::vector<double> weights_;
  std::vector<std::int32_t> groups_;
  RowTags tags_;
  std::shared_ptr<KeptRows> rows_;
};

}  // namespace semblance
