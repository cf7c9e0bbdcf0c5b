// SPDX-License-Identifier: MIT
#include "runtime/nodes/explained_tests.hpp"

#include "runtime/explain/explained_rows.hpp"
#include "runtime/nodes/score_origin.hpp"

namespace semblance {

std::vector<Explanation> explained_tests(RunProgress& progress, RunData& data, std::size_t scoring,
                                         const ExplainOptions& options,
                                         std::span<const std::size_t> test_rows,
                                         std::size_t background) {
  const std::size_t machine = machine_before(progress.graph(), scoring);
  const std::size_t first = first_test_row(data.dataset(machine).outline());
  std::vector<std::size_t> positions;
  for (const std::size_t row : test_rows) positions.push_back(first + row);
  return explained_rows(progress, data, machine, options, positions, background);
}

}  // namespace semblance
