// SPDX-License-Identifier: MIT
#include "reading.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

// A byte of parameters, then the file: .tsv, .ts or .arff.
FUZZ_TARGET(ucr) {
  const std::uint8_t form = input.byte();
  Parameters parameters = {{"format", one_of({"tsv", "ts", "arff"}, form)},
                           {"missing", one_of({"refuse", "interpolate"}, form / 3)},
                           {"labels", one_of({"present", "absent"}, form / 6)}};
  if (form / 12 % 2) parameters.emplace_back("test_fraction", 0.5);
  if (form / 24 % 2) parameters.emplace_back("longest", std::int64_t{6});
  parameters.emplace_back("path", scratch_file("series", input.rest()));
  const NewData model{"", Layout::sequence(8, 2), {"a", "b"}, {}};
  read_source("source/ucr", parameters, form / 48 % 2 ? &model : nullptr);
}
