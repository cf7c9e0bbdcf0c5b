// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace semblance::conformance {

/// What a check found wrong, in one sentence.
class Failed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Why a check says nothing about this component.
class NotApplicable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What is not wrong, but worth telling the author.
class Remark : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline void require(bool condition, const std::string& otherwise) {
  if (!condition) throw Failed(otherwise);
}

/// One promise of the interfaces; run() returns where it is kept, and throws where it is not. An
/// exception of the component counts as one that is not kept.
struct Check {
  std::string name;
  std::function<void()> run;
};

enum class Verdict { ok, failed, not_applicable, remark };

struct Finding {
  Verdict verdict = Verdict::ok;
  std::string text;  ///< what is wrong, or why the check does not apply, or the remark
};

/// Runs one check. Whatever it throws becomes a finding; that an exception is no semblance::Error
/// is said.
Finding run(const Check& check);

}  // namespace semblance::conformance
