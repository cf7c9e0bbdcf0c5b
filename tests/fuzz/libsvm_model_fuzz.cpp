// SPDX-License-Identifier: MIT
#include "export/model_text.hpp"
#include "fuzzing.hpp"
#include "libsvm_model.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

namespace {

/// Checks the preconditions of a solver.
void check_machine(const SupportVectorMachine& machine) {
  const std::size_t classes = machine.classes(), vectors = machine.vectors();
  require(classes >= 2 && machine.counts.size() == classes, "classes without a count");
  require(machine.rho.size() == classes * (classes - 1) / 2, "pairs without a rho");
  require(machine.coefficients.size() == (classes - 1) * vectors, "coefficients are missing");
  require(machine.columns.size() == machine.values.size() &&
              machine.starts.back() == machine.values.size(),
          "values are missing");
  for (const std::uint32_t column : machine.columns)
    require(column < machine.inputs, "a column beyond the largest");
}

}  // namespace

// A model file. A model that was read is written and read again with the same text, and imported by
// a solver.
FUZZ_TARGET(libsvm_model) {
  const std::string text(input.rest());
  expect_result_or_error([&] {
    if (is_liblinear(text, "model")) return;
    const LibsvmModelText read = parse_libsvm(text, "model");
    check_machine(read.machine);
    const std::string once = libsvm_text(read.machine, read.labels);
    const LibsvmModelText again = parse_libsvm(once, "again");
    require(libsvm_text(again.machine, again.labels) == once, "it does not come back as it was");
    const libraries::LibSvmModel model(read.machine, Layout::sparse(read.machine.inputs));
    FloatMatrix row = FloatMatrix::sparse(read.machine.inputs, std::vector<std::size_t>{1});
    std::vector<float> scores(read.machine.classes());
    model.scores(row.view(), 0, scores);
    require(model.machine().values.size() <= read.machine.values.size(), "values were added");
  });
}
