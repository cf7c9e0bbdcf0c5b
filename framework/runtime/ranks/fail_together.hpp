// SPDX-License-Identifier: MIT
#pragma once

#include <exception>

#include "runtime/ranks/ranks.hpp"
#include "runtime/services/run_options.hpp"

namespace semblance {

/// The result of body(options), where options.transport may lead to other ranks that do the same:
/// a failure of one of them ends all. Only the first rank writes and logs; the other ranks are
/// silent unless they fail.
template <class Body>
auto fail_together(RunOptions options, const Body& body) {
  Transport* const transport = options.transport;
  if (!transport) return body(options);
  if (transport->rank() > 0) {
    options.out.clear();
    options.quiet = true;
    options.on_log = [](LogLevel, const std::string&) {};
  }
  try {
    return body(options);
  } catch (const RankFailure&) {
    throw;
  } catch (const std::exception& failure) {
    announce_failure(transport, failure.what());
    throw;
  }
}

}  // namespace semblance
