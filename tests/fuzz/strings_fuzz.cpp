// SPDX-License-Identifier: MIT
#include "reading.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

// Two bytes of parameters, then the file: a table or FASTA.
FUZZ_TARGET(strings) {
  const std::uint8_t form = input.byte(), roles = input.byte();
  Parameters parameters = {{"format", one_of({"table", "fasta"}, form)},
                           {"header", one_of({"auto", "present", "absent"}, form / 2)},
                           {"letters", one_of({"keep", "upper", "lower"}, form / 6)},
                           {"words", one_of({"blank", "bar"}, form / 18)},
                           {"unknown", one_of({"refuse", "drop"}, form / 36)},
                           {"label", one_of({"1", "-1", "2", "class"}, roles)}};
  if (roles & 4) parameters.emplace_back("text", std::string("1"));
  if (roles & 8) parameters.emplace_back("alphabet", std::string("ABCDEFGHabcdefgh \xc3\xa9"));
  if (roles & 16) parameters.emplace_back("label_parts", std::int64_t{2});
  if (roles & 32) parameters.emplace_back("smallest_class", std::int64_t{2});
  if (roles & 64) parameters.emplace_back("test_fraction", 0.5);
  parameters.emplace_back("path", scratch_file("strings", input.rest()));
  const NewData model{"", Layout::string(12, "ABCabc\xc3\xa9"), {"x", "y"}, {}};
  read_source("source/strings", parameters, roles & 128 ? &model : nullptr);
}
