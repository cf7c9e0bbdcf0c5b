// SPDX-License-Identifier: MIT
#include "export/model_text.hpp"
#include "fuzzing.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

// A model file. A model that was read is written and read again with the same text.
FUZZ_TARGET(liblinear_model) {
  const std::string text(input.rest());
  expect_result_or_error([&] {
    if (!is_liblinear(text, "model")) return;
    const LiblinearModelText read = parse_liblinear(text, "model");
    const LiblinearMachine& machine = read.machine;
    const bool single = machine.classes == 2 && machine.solver != "MCSVM_CS";
    require(machine.weights.size() == (single ? 1 : machine.classes) * (machine.inputs + 1),
            "weights are missing");
    require(read.labels.size() == machine.classes, "classes without a label");
    const std::string once = liblinear_text(machine, read.labels);
    const LiblinearModelText again = parse_liblinear(once, "again");
    require(liblinear_text(again.machine, again.labels) == once, "it does not come back as it was");
  });
}
