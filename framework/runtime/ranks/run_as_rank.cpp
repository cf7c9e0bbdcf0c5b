// SPDX-License-Identifier: MIT
#include "runtime/ranks/run_as_rank.hpp"

namespace semblance {

RunOptions options_of_rank(const RunOptions& options) {
  RunOptions own = options;
  if (!own.transport || own.transport->rank() == 0) return own;
  own.out.clear();
  own.quiet = true;
  own.on_log = [](LogLevel, const std::string&) {};
  return own;
}

}  // namespace semblance
