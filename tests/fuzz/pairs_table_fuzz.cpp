// SPDX-License-Identifier: MIT
#include "reading.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

// A byte of parameters, then the table of pairs; the tables of both sides stay the same.
FUZZ_TARGET(pairs_table) {
  const std::uint8_t form = input.byte();
  Parameters parameters = {
      {"setting", one_of({"new_pairs", "new_first", "new_second", "both_new"}, form)},
      {"missing_labels", one_of({"refuse", "drop"}, form / 4)}};
  if (form & 8) parameters.emplace_back("test_fraction", 0.5);
  if (form & 32)
    parameters.emplace_back("label", "3");
  else
    parameters.emplace_back("target", std::vector<std::string>{"3"});
  parameters.emplace_back("path", scratch_file("pairs.csv", input.rest()));
  const auto side = [](const std::string& name, const char* rows) {
    return testing::part("source/csv",
                         {{"path", scratch_file(name, rows)}, {"label", "none"}, {"id", "id"}});
  };
  const NewData model{"", Layout::pair(Layout::vector(1), Layout::vector(2)), {}, {}, {"target"}};
  read_source("source/pairs", parameters, form & 16 ? &model : nullptr,
              {{"first", side("first.csv", "id,x\na,1\nb,2\nc,3\n")},
               {"second", side("second.csv", "id,y,z\np,1,2\nq,3,4\nr,5,6\n")}});
}
