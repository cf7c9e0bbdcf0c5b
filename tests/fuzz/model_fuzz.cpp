// SPDX-License-Identifier: MIT
#include "fuzzing.hpp"
#include "report/metrics.hpp"
#include "runtime/results/model.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

// model.json of a model.
FUZZ_TARGET(model) {
  const std::filesystem::path file = scratch_file("model/model.json", input.rest());
  expect_result_or_error([&] {
    const Model model = read_model(file.parent_path());
    for (const auto& [node, layout] : model.shapes.outputs)
      require(layout.size() <= 2147483647, "a row that no memory holds: " + node);
    for (const auto& [node, report] : model.reports) {
      NodeRecord record;
      report_from_json(report, record);
      require(report_to_json(record).is_object(), "a report that cannot be written");
    }
  });
}
