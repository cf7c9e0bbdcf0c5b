// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "conformance/check.hpp"
#include "conformance/recorded.hpp"
#include "conformance/sample_set.hpp"
#include "registry/catalogue.hpp"
#include "registry/figures.hpp"
#include "semblance/declaration.hpp"
#include "semblance/testing.hpp"

namespace semblance::conformance {

/// A configuration that differs from the default one in one parameter.
struct Variation {
  std::string name;  ///< "gamma = 1e-06"
  ComponentConfig config;
  bool heavy = false;  ///< a large number: the component is created, but not used
};

/// Which samples a component accepts: only creating and training it tells, which is done once for
/// each configuration.
struct AcceptedSamples {
  struct Found {
    ComponentConfig config;
    std::vector<std::size_t> accepted;  ///< numbers of `sets`, in their order
    bool all = false;                   ///< or those up to the first that is accepted
  };
  std::vector<SampleSet> sets;  ///< what is tried
  std::vector<Found> found;
};

/// A component under test and how to make it.
class Subject {
 public:
  /// `catalogue` has the possible nested components; `given` are parameters to use instead of the
  /// defaults. Throws Error where one of these is unknown or not allowed.
  Subject(const ComponentEntry& entry, const Catalogue& catalogue,
          std::map<std::string, Value> given = {});

  const ComponentInfo& info() const noexcept { return entry_.info; }
  const Catalogue& catalogue() const noexcept { return catalogue_; }

  /// The defaults with the given parameters. Throws NotApplicable where a required parameter is
  /// missing, or where files are missing and the component says so.
  ComponentConfig config() const;

  /// A report with the component's declarations.
  RecordedReport report(const ComponentConfig& config) const {
    return {entry_.info.id, figures_of(config, catalogue_)};
  }

  /// All choices, both truth values, and the limits of every range; for open ranges, values next to
  /// the limits.
  std::vector<Variation> variations() const;

  /// What its checks have found out so far; they run one after another.
  AcceptedSamples& accepted_samples() const { return accepted_samples_; }

  std::unique_ptr<Component> create(const ComponentConfig& config) const;

  /// Throws Failed where the class is not derived from the declared interface.
  template <class Interface>
  std::unique_ptr<Interface> create_as(const ComponentConfig& config) const {
    std::unique_ptr<Component> made = create(config);
    auto* cast = dynamic_cast<Interface*>(made.get());
    require(cast, "its class does not implement the interface of its kind and declaration");
    static_cast<void>(made.release());  // it belongs to what is returned
    return std::unique_ptr<Interface>(cast);
  }

  template <class Interface>
  std::unique_ptr<Interface> create_as() const {
    return create_as<Interface>(config());
  }

 private:
  const ComponentEntry& entry_;
  const Catalogue& catalogue_;
  std::map<std::string, Value> given_;
  mutable AcceptedSamples accepted_samples_;
};

/// The order in which a trial's parallel work is done.
enum class WorkOrder {
  any,       ///< as threads come to it
  reversed,  ///< from the last piece to the first, on one thread
  shuffled,  ///< at random, on one thread
  delayed    ///< on all threads, which stop before and after some of the pieces
};

/// The circumstances of a trial; only the seed may change the results.
struct Setting {
  std::size_t threads = 2;
  WorkOrder order = WorkOrder::any;
  std::uint64_t seed = 1;
  std::size_t memory = std::size_t{256} << 20;  ///< bytes
  bool reloaded = false;  ///< the learned state passes through save() and a new component's load()
  StopReason stop = StopReason::none;         ///< requested from the beginning
  std::atomic<bool>* memory_asked = nullptr;  ///< set when the component asks for its memory

  bool operator==(const Setting&) const = default;
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
class TrialContext final : public testing::TestContext {
 public:
  explicit TrialContext(const Setting& setting)
      : TestContext(setting.threads, setting.seed),
        order_(setting.order),
        memory_asked_(setting.memory_asked) {
    stop = setting.stop;
    budget = setting.memory;
  }
  std::size_t memory_budget() const noexcept override {
    if (memory_asked_) *memory_asked_ = true;
    return TestContext::memory_budget();
  }
  void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) override;

 private:
  void delay(std::size_t i);

  const WorkOrder order_;
  std::atomic<int> delays_ = 0;
  std::atomic<bool>* memory_asked_;
};

}  // namespace semblance::conformance
