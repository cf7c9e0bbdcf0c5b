// SPDX-License-Identifier: MIT
#include "reading.hpp"
#include "text/libsvm.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

// One byte of parameters, then the file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const std::uint8_t form = input.byte();
  Parameters parameters = {{"role", one_of({"train", "test"}, form)}};
  if (form & 2) parameters.emplace_back("dimension", std::int64_t{4});
  if (form & 4) parameters.emplace_back("test_fraction", 0.25);
  parameters.emplace_back("path", scratch_file("rows", input.rest()));
  read_source<LibsvmFile>(parameters);
  return 0;
}
