// SPDX-License-Identifier: MIT
#include "reading.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

// A byte of parameters, then the file.
FUZZ_TARGET(hdf5) {
  const std::uint8_t form = input.byte();
  Parameters parameters = {{"samples", one_of({"/X", "/g/X"}, form)}};
  if (form & 2) parameters.emplace_back("label", std::string("/y"));
  if (form & 4) parameters.emplace_back("missing", std::string("keep"));
  if (form & 8) parameters.emplace_back("test_fraction", 0.5);
  parameters.emplace_back("path", scratch_file("matrix", input.rest()));
  read_source("source/hdf5", parameters);
}
