// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "semblance/component_info.hpp"

namespace semblance {

/// The common properties of all components of a kind. Their interface defines it once, as `static
/// const KindInfo& kind_info()`. Several interfaces can have the same kind and are distinguished by
/// their ports: solver.hpp, pair_solver.hpp.
struct KindInfo {
  std::string name;                ///< "similarity": the first part of an id
  std::string purpose;             ///< one sentence
  std::vector<PortInfo> inputs;    ///< before a component narrows their layouts
  std::optional<PortInfo> output;  ///< none: such components are always parameters of others
  /// Of its components, unless they declare others (ComponentInfo::targets).
  std::vector<TargetKind> targets = {};

  /// Whether the component's ports are those of this interface.
  bool has_ports_of(const ComponentInfo& component) const;
};

/// The names of all kinds, in the order in which a pipeline uses them: source, feature, normalizer,
/// basis, similarity, pair_kernel, pairs, solver, calibrator, evaluator, and those added.
const std::vector<std::string>& kinds();

/// The kind of that name, as defined by its first interface; nullptr if there is none.
const KindInfo* kind_named(std::string_view name) noexcept;

/// Adds an interface of a new or existing kind, for the life of the program. For programs that
/// extend the runtime, before they load plugins; not thread-safe.
void add_kind(const KindInfo& kind);

/// A port that takes samples, called `from`.
PortInfo samples_port(std::string documentation = "the samples");

/// The output port of all components that give samples.
PortInfo samples_output(std::vector<LayoutKind> layouts = {});

}  // namespace semblance
