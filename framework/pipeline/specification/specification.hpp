// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pipeline/specification/component_reader.hpp"
#include "pipeline/yaml/problems.hpp"
#include "pipeline/yaml/yaml_tree.hpp"

namespace semblance {

/// A node named at an input.
struct Reference {
  std::string name;
  Place place;
};

/// One input of a node, as written.
struct Link {
  const PortInfo* port = nullptr;
  std::vector<Reference> nodes;
};

/// A node as written: its component is checked, the names of its inputs are not.
struct NodeSpecification {
  std::string name;
  Place place;       ///< of the name
  std::string kind;  ///< as written, even if the component is unknown
  std::optional<std::uint64_t> seed;
  bool seed_by_name = false;  ///< the seed is the pipeline's, mixed with the name
  ReadComponent component;
  std::vector<Link> links;  ///< in the order of the declaration
  bool complete = true;     ///< all inputs are there and well-formed

  /// Texts at faulty places that were reported: a node of this name may be meant.
  std::vector<std::string> mentions;
  /// The types that the missing inputs would have accepted.
  std::set<PortType> missing;
};

/// A pipeline as written.
struct Specification {
  std::string name;
  std::string description;
  std::uint64_t seed = 1;
  Place nodes_place;
  std::vector<NodeSpecification> nodes;
};

/// Reads the tree; reports errors and returns what is valid.
Specification read_specification(const YamlNode& root, const Catalogue& catalogue,
                                 ComponentReader& components, Problems& problems);

/// The keys of a pipeline: name, description, seed, nodes, select.
const std::vector<std::string>& pipeline_keys();

/// The most nodes a pipeline may have.
inline constexpr std::size_t most_nodes = 10'000;

}  // namespace semblance
