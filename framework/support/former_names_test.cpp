// SPDX-License-Identifier: MIT
#include "support/former_names.hpp"

#include <doctest/doctest.h>

namespace former_names_test {

using namespace semblance;

TEST_CASE("deprecated options are given under their current names, with one warning each") {
  const std::vector<FormerName> before = program_names();
  program_names().push_back({.written = "--jobless", .since = "1.1", .instead = "--threads"});
  program_names().push_back({.written = "run --calm", .since = "1.1", .instead = "--quiet"});
  program_names().push_back({.written = "--loud", .since = "1.2", .advice = "omit it"});
  std::vector<std::string> warnings;
  const auto has = [](const std::string& option) { return option == "--loud"; };
  const auto current = [&](const std::string& command, std::vector<std::string> arguments) {
    warnings.clear();
    return current_options(command, std::move(arguments), has, warnings);
  };
  using Texts = std::vector<std::string>;
  CHECK(current("run", {"p.yaml", "--jobless=2", "--calm", "--jobless", "3", "--loud"}) ==
        Texts{"p.yaml", "--threads=2", "--quiet", "--threads", "3", "--loud"});
  CHECK(warnings == Texts{"--jobless is deprecated since 1.1: write --threads",
                          "--calm is deprecated since 1.1: write --quiet",
                          "--loud is deprecated since 1.2: omit it"});
  CHECK(current("plan", {"--calm", "--", "--jobless"}) == Texts{"--calm", "--", "--jobless"});
  CHECK(warnings.empty());
  CHECK(current("ablate", {"--slurm", "x"}) == Texts{"--slurm", "x"});
  CHECK(warnings.empty());
  CHECK(former_option("ablate", "--slurm")->gone);
  program_names() = before;
}

}  // namespace former_names_test
