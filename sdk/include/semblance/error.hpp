// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

namespace semblance {

/// What a component throws when it cannot go on. The message is one sentence that says what is
/// wrong and what to do; the runtime adds component, node, position in the pipeline and phase.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  ~Error() override;
};

/// An input file that cannot be used: `file: where: what is wrong; what to do`.
class DataError : public Error {
 public:
  /// `where` is a line ("line 12"), an offset ("byte 16") or empty.
  DataError(const std::string& file, const std::string& where, const std::string& what);
  ~DataError() override;
};

/// A component needs more memory than it may use (Context::memory_budget()). Where others hold some
/// meanwhile, the runtime tries it once more when they no longer do.
class MemoryError : public Error {
 public:
  using Error::Error;
  ~MemoryError() override;
};

/// Thrown by long calls that can leave nothing useful behind when a stop is requested.
class Cancelled : public Error {
 public:
  Cancelled();
  ~Cancelled() override;
};

}  // namespace semblance
