// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

namespace semblance {

/// Thrown by a component that cannot continue. The message is one sentence that says what is wrong
/// and what to do; the runtime adds component, node, position in the pipeline and phase.
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

/// A component needs more memory than it may use (Context::memory_budget()). If other components
/// hold memory at that time, the runtime tries again once they have released it.
class MemoryError : public Error {
 public:
  using Error::Error;
  ~MemoryError() override;
};

/// Thrown by long calls that have no useful partial result when a stop is requested.
class Cancelled : public Error {
 public:
  Cancelled();
  ~Cancelled() override;
};

}  // namespace semblance
