// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "semblance/component_info.hpp"

namespace semblance {

/// What all components of a kind have in common. The interface that they derive from says it once,
/// as `static const KindInfo& kind_info()`; several interfaces can be of one kind, which are told
/// apart by their ports: solver.hpp, pair_solver.hpp.
struct KindInfo {
  std::string name;                ///< "similarity": what an id begins with
  std::string purpose;             ///< one sentence
  std::vector<PortInfo> inputs;    ///< before a component narrows their layouts
  std::optional<PortInfo> output;  ///< none: such a component is always a parameter of another

  /// Whether the component's ports are those of this interface.
  bool has_ports_of(const ComponentInfo& component) const;
};

/// The names of all kinds, in the order in which a pipeline uses them: source, feature, normalizer,
/// basis, similarity, pair_kernel, pairs, solver, calibrator, evaluator, and those added.
const std::vector<std::string>& kinds();

/// The kind of that name, as its first interface says it; nullptr: there is none.
const KindInfo* kind_named(std::string_view name) noexcept;

/// Adds an interface, of a new kind or of one that there is, for the life of the program. For
/// programs that extend the runtime, before they load plugins; not thread-safe.
void add_kind(const KindInfo& kind);

/// A port that takes samples, called `from`.
PortInfo samples_port(std::string documentation = "the samples");

/// The port of everything that gives samples.
PortInfo samples_output(std::vector<LayoutKind> layouts = {});

}  // namespace semblance
