// SPDX-License-Identifier: MIT
#include "reading.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

// A byte of parameters, then the file.
FUZZ_TARGET(arff) {
  const std::uint8_t form = input.byte();
  Parameters parameters = {{"label", one_of({"-1", "1", "none", "class"}, form)}};
  if (form & 4) parameters.emplace_back("missing", std::string("keep"));
  if (form & 8) parameters.emplace_back("unknown", std::string("none"));
  if (form & 16) parameters.emplace_back("test_fraction", 0.5);
  if (form & 32) parameters.emplace_back("ignore", std::vector<std::string>{"2"});
  parameters.emplace_back("path", scratch_file("table", input.rest()));
  const NewData model{"", Layout::vector(3), {"a", "b"}, {"x=u", "x=v", "y"}};
  read_source("source/arff", parameters, form & 64 ? &model : nullptr);
}
