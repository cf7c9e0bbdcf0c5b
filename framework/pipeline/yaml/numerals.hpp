// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pipeline/yaml/yaml_tree.hpp"

namespace semblance {

/// Why a scalar is not as expected: "must be an integer, got 'x'", and what to write instead.
struct Refusal {
  std::string problem;
  std::string help;
};

/// Decimal integers and numbers, and no other YAML 1.1 forms: no octal, no hexadecimal, no
/// underscores, no infinities. Each returns the number or fills `refusal`.
std::optional<std::int64_t> read_integer(const YamlNode& node, Refusal& refusal);
std::optional<std::uint64_t> read_natural(const YamlNode& node, Refusal& refusal);
std::optional<double> read_number(const YamlNode& node, Refusal& refusal);

}  // namespace semblance
