// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "conformance/check.hpp"
#include "conformance/recorded_report.hpp"
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
};

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
