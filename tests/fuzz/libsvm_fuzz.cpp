// SPDX-License-Identifier: MIT
#include "reading.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

// One byte of parameters, then the file.
FUZZ_TARGET(libsvm) {
  const std::uint8_t form = input.byte();
  Parameters parameters = {{"role", one_of({"train", "test"}, form)}};
  if (form & 2) parameters.emplace_back("dimension", std::int64_t{4});
  if (form & 4) parameters.emplace_back("test_fraction", 0.25);
  parameters.emplace_back("path", scratch_file("rows", input.rest()));
  if (form & 24)
    parameters.emplace_back("first_index", one_of({"1", "0", "automatic", "automatic"}, form / 8));
  const NewData model{"", Layout::vector(6), {"1", "2"}, {}};
  read_source("source/libsvm", parameters, form & 32 ? &model : nullptr);
}
