// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace semblance::conformance {

/// The failure that a check found, in one sentence.
class Failed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The reason why a check does not apply to this component.
class NotApplicable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Not an error, but worth reporting to the author.
class Remark : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline void require(bool condition, const std::string& otherwise) {
  if (!condition) throw Failed(otherwise);
}

/// One promise of the interfaces; run() returns if it is kept, and throws otherwise. An exception
/// of the component counts as a broken promise.
struct Check {
  std::string name;
  std::function<void()> run;
};

enum class Verdict { ok, failed, not_applicable, remark };

struct Finding {
  Verdict verdict = Verdict::ok;
  std::string text;  ///< the failure, the reason why the check does not apply, or the remark
};

/// Runs one check. Any exception becomes a finding, which says so if it is not a semblance::Error.
Finding run(const Check& check);

}  // namespace semblance::conformance
