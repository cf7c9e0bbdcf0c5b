// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/session.hpp"

namespace semblance {

/// Whether node i can learn now: everything it looks at is there.
bool can_learn(const Session& session, std::size_t i);

/// Lets node i learn (fit, select, set bases, train, evaluate) and puts what it learned into the
/// store; after a stop request only what is complete.
void learn(Session& session, std::size_t i);

/// Brings back what node i learned in an earlier run.
void restore(Session& session, std::size_t i);

/// A node's state in a folder: one sub-folder a part; a basis keeps its indices.
void save_state(const Session& session, std::size_t i, const std::filesystem::path& folder);
void load_state(Session& session, std::size_t i, const std::filesystem::path& folder);

/// Whether rows of node i can be computed or read at once.
bool can_stream(const Session& session, std::size_t i);

}  // namespace semblance
