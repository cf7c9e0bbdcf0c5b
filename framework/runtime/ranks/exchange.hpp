// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "runtime/ranks/ranks.hpp"
#include "runtime/store/artifact_store.hpp"
#include "semblance/context.hpp"
#include "semblance/pairs.hpp"
#include "semblance/samples.hpp"

namespace semblance {

/// The samples that pairs name, and the pairs as positions among these.
struct NamedRows {
  std::shared_ptr<const Rows> rows;
  PairSet pairs;
};

/// Sends all ranks the samples that listed pairs name. `rows` are all rows of a data set with
/// `train_rows` training samples, of which each rank has its own. Collective.
NamedRows named_rows(const std::shared_ptr<const Rows>& rows, std::size_t train_rows,
                     const PairSet& pairs, Context& context);

/// All files below a folder as one string, to be sent to another rank.
std::string packed(const std::filesystem::path& folder);

/// Writes the files of a packed() string into a folder, which it makes. Throws Error where the
/// string is not from packed().
void unpack(const std::string& text, const std::filesystem::path& folder);

/// Whether all ranks see the first rank's store: they look for a file that it makes there.
/// Collective.
bool all_see_store(Ranks& ranks, const ArtifactStore& store);

}  // namespace semblance
