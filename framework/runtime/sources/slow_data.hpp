// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "registry/catalogue.hpp"
#include "runtime/graph/node_keys.hpp"
#include "runtime/rows/row_tags.hpp"
#include "runtime/services/run_context.hpp"
#include "runtime/sources/shared_data.hpp"
#include "runtime/store/artifact_store.hpp"
#include "runtime/store/kept_rows.hpp"
#include "runtime/store/row_memory.hpp"
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

class Node;

/// The data sets of sources that read slowly (Source::reads_slowly()), read once. With a store they
/// become arrays in it, which give this run and later ones their rows; messages of the source while
/// it read are repeated. Without a store, what is read for an outline is retained until the run
/// opens it, if it is small beside the memory, and as SharedData for other runs.
class SlowData {
 public:
  /// All arguments must outlive the object. `shared` has what other runs have read; nullptr:
  /// nothing is shared. With a store it is not used.
  SlowData(const Catalogue& catalogue, RunServices& services, ArtifactStore* store,
           InputFiles& files, SharedData* shared = nullptr)
      : catalogue_(catalogue), services_(services), store_(store), files_(files), shared_(shared) {}

  bool has_store() const noexcept { return store_ != nullptr; }

  /// All rows of a source, read now if they are not in the store or retained; the same object for
  /// every call. nullptr: the source is to be opened instead, because it reads fast, because its
  /// files are small, or because its data cannot be stored or are too large to be retained. Throws
  /// what opening it throws.
  std::shared_ptr<const Dataset> open(const Node& source);

  /// Counts what is retained as taken, from the plan on.
  void take_room(RowMemory& memory);
  /// What is retained for a source, and forgotten from now on; nullptr if nothing is.
  std::shared_ptr<const Dataset> take(const Node& source);
  void forget() noexcept {
    opened_.clear();
    room_.clear();
  }

 private:
  std::shared_ptr<const Dataset> retained(const Node& source, std::uintmax_t text_bytes);
  std::shared_ptr<const Dataset> stored(const Node& source, const std::string& key);
  std::shared_ptr<const Dataset> read(const Node& source, const std::string& key);
  std::string key_of(const Node& source) const;

  const Catalogue& catalogue_;
  RunServices& services_;
  ArtifactStore* const store_;  ///< nullptr: none
  InputFiles& files_;
  SharedData* const shared_;
  /// By key; null: neither stored nor retained.
  std::map<std::string, std::shared_ptr<const Dataset>> opened_;
  std::map<std::string, std::shared_ptr<void>> room_;  ///< of what is retained
  std::shared_ptr<void> shared_room_;                  ///< of what other runs have read
};

}  // namespace semblance
