// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>

#include "registry/catalogue.hpp"
#include "runtime/graph/node_keys.hpp"
#include "runtime/services/run_context.hpp"
#include "runtime/store/artifact_store.hpp"
#include "semblance/source.hpp"

namespace semblance {

class Node;

/// The data sets of sources that read slowly (Source::reads_slowly()): read once and left in the
/// store as arrays, from which this run and later ones have their rows. What the source had to
/// tell while it read is told again.
class SlowData {
 public:
  /// All of these must live as long.
  SlowData(const Catalogue& catalogue, RunServices& services, ArtifactStore& store,
           InputFiles& files)
      : catalogue_(catalogue), services_(services), store_(store), files_(files) {}

  /// All rows of a source, read now if they are not in the store; the same object to all who ask.
  /// nullptr: the source is to be opened, because it reads fast, because its files are small, or
  /// because the store cannot take what it reads. Throws what opening it throws.
  std::shared_ptr<const Dataset> open(const Node& source);

 private:
  std::shared_ptr<const Dataset> stored(const Node& source, const std::string& key);
  std::shared_ptr<const Dataset> read(const Node& source, const std::string& key);

  const Catalogue& catalogue_;
  RunServices& services_;
  ArtifactStore& store_;
  InputFiles& files_;
  std::map<std::string, std::shared_ptr<const Dataset>> opened_;  ///< by key; null: not stored
};

}  // namespace semblance
