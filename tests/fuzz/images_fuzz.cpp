// SPDX-License-Identifier: MIT
#include "reading.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

// A byte of parameters, then an archive of pictures.
FUZZ_TARGET(images) {
  const std::uint8_t form = input.byte();
  Parameters parameters = {{"color", one_of({"grey", "rgb"}, form)},
                           {"role", one_of({"train", "test"}, form / 2)}};
  if (form & 4) parameters.emplace_back("size", std::vector<std::int64_t>{5, 7});
  parameters.emplace_back("path", scratch_file("archive", input.rest()));
  read_source("source/images", parameters);
}
