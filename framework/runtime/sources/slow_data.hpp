// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "registry/catalogue.hpp"
#include "runtime/graph/node_keys.hpp"
#include "runtime/services/run_context.hpp"
#include "runtime/sources/shared_data.hpp"
#include "runtime/store/artifact_store.hpp"
#include "runtime/store/row_memory.hpp"
#include "semblance/source.hpp"

namespace semblance {

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
