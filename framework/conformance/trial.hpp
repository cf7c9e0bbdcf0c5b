// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conformance/subject.hpp"
#include "semblance/testing.hpp"

namespace semblance::conformance {

/// The circumstances of a trial; only the seed may change the results.
struct Setting {
  std::size_t threads = 2;
  std::uint64_t seed = 1;
  std::size_t memory = std::size_t{256} << 20;  ///< bytes
  bool reloaded = false;  ///< the learned state passes through save() and a new component's load()
  StopReason stop = StopReason::none;  ///< requested from the beginning
};

/// All results of a component, to be compared bit for bit.
struct Outcome {
  std::vector<float> values;
  std::string text;
};

/// The difference, in one sentence; empty: none.
std::string difference(const Outcome& one, const Outcome& other);

/// Uses a component for its purpose, from its creation to its last result, on samples made for it.
/// Throws Failed where a promise of the interface is broken on the way.
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
