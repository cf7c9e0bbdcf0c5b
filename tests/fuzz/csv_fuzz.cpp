// SPDX-License-Identifier: MIT
#include "reading.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

// Three bytes of parameters, then the file.
FUZZ_TARGET(csv) {
  const std::uint8_t form = input.byte(), roles = input.byte(), kinds = input.byte();
  Parameters parameters = {
      {"separator", one_of({"auto", "comma", "semicolon", "tab", "blank"}, form)},
      {"header", one_of({"auto", "present", "absent"}, form / 5)},
      {"label", one_of({"-1", "1", "none", "class"}, form / 15)},
      {"role", one_of({"train", "test"}, roles)}};
  if (roles & 2) parameters.emplace_back("test_fraction", 0.5);
  if (roles & 4) parameters.emplace_back("test_rows", std::int64_t{1});
  if (roles & 8) parameters.emplace_back("ignore", std::vector<std::string>{"2"});
  if (roles & 16) parameters.emplace_back("test_class_fraction", 0.5);
  if (kinds & 1) parameters.emplace_back("categorical", std::vector<std::string>{"auto"});
  if (kinds & 2) parameters.emplace_back("categorical", std::vector<std::string>{"1", "x"});
  if (kinds & 4) parameters.emplace_back("missing", std::string("keep"));
  if (kinds & 8) parameters.emplace_back("unknown", std::string("none"));
  if (kinds & 16) parameters.emplace_back("decimal", std::string("comma"));
  if (kinds & 32) parameters.emplace_back("columns", std::vector<std::string>{"2", "1"});
  parameters.emplace_back("path", scratch_file("table", input.rest()));
  if (roles & 32) parameters.emplace_back("id", std::string("1"));
  const NewData numbers{"", Layout::vector(2), {"a", "b"}, {"x", "y"}};
  const NewData categories{"", Layout::vector(3), {"a", "b"}, {"x=u", "x=v", "y"}};
  const NewData& model = kinds & 64 ? categories : numbers;
  read_source("source/csv", parameters, roles & 64 ? &model : nullptr);
}
