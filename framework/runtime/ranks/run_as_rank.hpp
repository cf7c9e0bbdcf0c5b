// SPDX-License-Identifier: MIT
#pragma once

#include <exception>

#include "runtime/ranks/ranks.hpp"
#include "runtime/services/run_options.hpp"

namespace semblance {

/// The options for this rank: only the first writes and logs; the other ranks are silent unless
/// they fail.
RunOptions options_of_rank(const RunOptions& options);

/// The result of body(options), where options.transport may lead to other ranks that do the same:
/// what ends it on one of them ends it on all.
template <class Body>
auto run_as_rank(const RunOptions& options, const Body& body) {
  if (!options.transport) return body(options);
  try {
    return body(options_of_rank(options));
  } catch (const RankFailure&) {
    throw;
  } catch (const std::exception& failure) {
    tell_failure(options.transport, failure.what());
    throw;
  }
}

}  // namespace semblance
