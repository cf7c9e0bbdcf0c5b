// SPDX-License-Identifier: MIT
#include "reading.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

// Two bytes of parameters, then the file: a table of SMILES or SDF.
FUZZ_TARGET(molecules) {
  const std::uint8_t form = input.byte(), roles = input.byte();
  Parameters parameters = {{"format", one_of({"smiles", "sdf"}, form)},
                           {"header", one_of({"auto", "present", "absent"}, form / 2)},
                           {"fingerprint", one_of({"morgan", "maccs", "path"}, form / 6)},
                           {"invalid", one_of({"refuse", "drop"}, form / 18)},
                           {"smiles", one_of({"auto", "1", "2", "smiles"}, roles)}};
  if (roles & 4)
    parameters.emplace_back("label", one_of({"2", "kind"}, form / 36));
  else if (roles & 8)
    parameters.emplace_back("target", std::vector<std::string>{"y"});
  if (roles & 16) parameters.emplace_back("id", std::string("1"));
  if (roles & 32) parameters.emplace_back("missing_labels", std::string("drop"));
  if (roles & 64) parameters.emplace_back("test_fraction", 0.5);
  parameters.emplace_back("path", scratch_file("molecules", input.rest()));
  const std::size_t columns = form / 6 % 3 == 1 ? 167 : 2048;
  const NewData model{"", Layout::sparse(columns), {"x", "y"}, {}};
  read_source("source/molecules", parameters, roles & 128 ? &model : nullptr);
}
