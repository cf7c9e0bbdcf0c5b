// SPDX-License-Identifier: MIT
#include "reading.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

// A byte of parameters, a byte with the length of the file of labels, that file, the array.
FUZZ_TARGET(npy) {
  const std::uint8_t form = input.byte();
  const std::string labels = sized_part(input);
  Parameters parameters = {{"layout", one_of({"auto", "vector", "image", "grid"}, form)}};
  if (form & 4) parameters.emplace_back("label", scratch_file("labels", labels));
  if (form & 8) parameters.emplace_back("test_fraction", 0.5);
  parameters.emplace_back("path", scratch_file("array", input.rest()));
  read_source("source/npy", parameters);
}
