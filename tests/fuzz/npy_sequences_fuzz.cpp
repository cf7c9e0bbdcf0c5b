// SPDX-License-Identifier: MIT
#include "reading.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

// A byte of parameters, a byte with the length of the file of lengths, that file, the array.
FUZZ_TARGET(npy_sequences) {
  const std::uint8_t form = input.byte();
  const std::string lengths = sized_part(input);
  Parameters parameters = {{"layout", std::string("sequence")}};
  if (form & 1) parameters.emplace_back("lengths", scratch_file("lengths", lengths));
  if (form & 2) parameters.emplace_back("longest", std::int64_t{4});
  parameters.emplace_back("path", scratch_file("array", input.rest()));
  const NewData model{"", Layout::sequence(6, 2), {"a", "b"}, {}};
  read_source("source/npy", parameters, form & 4 ? &model : nullptr);
}
