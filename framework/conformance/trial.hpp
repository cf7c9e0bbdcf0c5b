// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conformance/subject.hpp"
#include "semblance/testing.hpp"

namespace semblance::conformance {

/// The circumstances of a trial; none but the seed may change what comes out.
struct Setting {
  std::size_t threads = 2;
  std::uint64_t seed = 1;
  std::size_t memory = std::size_t{256} << 20;  ///< bytes
  bool reloaded = false;  ///< what was learned goes through save() and a fresh component's load()
  StopReason stop = StopReason::none;  ///< requested from the beginning
};

/// Everything that a component gave, to be compared bit for bit.
struct Outcome {
  std::vector<float> values;
  std::string text;
};

/// What differs, in one sentence; empty: nothing.
std::string difference(const Outcome& one, const Outcome& other);

/// Uses a component for what its kind is for, from its creation to its last result, on samples made
/// for it. Throws Failed where a promise of the interface is broken on the way.
using Trial = std::function<Outcome(const Subject&, const ComponentConfig&, const Setting&)>;

/// The context of a setting.
class TrialContext {
 public:
  explicit TrialContext(const Setting& setting) : context_(setting.threads, setting.seed) {
    context_.stop = setting.stop;
    context_.budget = setting.memory;
  }
  operator testing::TestContext&() { return context_; }

 private:
  testing::TestContext context_;
};

}  // namespace semblance::conformance
