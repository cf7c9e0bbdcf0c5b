// SPDX-License-Identifier: MIT
#include "vector_origins.hpp"

#include <algorithm>
#include <limits>

#include "kernel_expansion.hpp"
#include "semblance/error.hpp"

namespace semblance::kernel {

void VectorOrigins::save(StateWriter& state) const {
  state.integers("vector_rows", std::vector<std::int64_t>(rows.begin(), rows.end()));
  std::vector<std::int64_t> numbers;
  for (const VectorRole role : roles) numbers.push_back(static_cast<std::int64_t>(role));
  state.integers("vector_roles", numbers);
}

VectorOrigins VectorOrigins::load(const StateReader& state, std::size_t vectors) {
  VectorOrigins origins;
  if (!state.has("vector_rows")) return origins;  // of an earlier version
  const auto rows = state.integers("vector_rows"), roles = state.integers("vector_roles");
  const auto all_below = [](const std::vector<std::int64_t>& numbers, std::int64_t end) {
    return std::ranges::all_of(numbers, [&](auto number) { return number >= 0 && number < end; });
  };
  check_saved(rows.empty() || rows.size() == vectors);
  check_saved(roles.empty() || roles.size() == vectors);
  check_saved(all_below(rows, std::int64_t{std::numeric_limits<std::uint32_t>::max()} + 1));
  check_saved(all_below(roles, static_cast<std::int64_t>(VectorRole::bound) + 1));
  origins.rows.assign(rows.begin(), rows.end());
  for (const std::int64_t role : roles) origins.roles.push_back(static_cast<VectorRole>(role));
  return origins;
}

}  // namespace semblance::kernel
