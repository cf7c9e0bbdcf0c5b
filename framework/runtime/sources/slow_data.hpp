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

/// The data sets of sources that read slowly (Source::reads_slowly()): read once and stored as
/// arrays, which give this run and later ones their rows. Messages of the source while it read are
/// repeated.
class SlowData {
 public:
  /// All arguments must outlive the object.
  SlowData(const Catalogue& catalogue, RunServices& services, ArtifactStore& store,
           InputFiles& files)
      : catalogue_(catalogue), services_(services), store_(store), files_(files) {}

  /// All rows of a source, read now if they are not in the store; the same object for every call.
  /// nullptr: the source is to be opened instead, because it reads fast, because its files are
  /// small, or because the store cannot take its data. Throws what opening it throws.
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
