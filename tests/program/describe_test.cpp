// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "program.hpp"

namespace describe_test {

using namespace semblance::testing;

TEST_CASE("list and describe tell the same of every component") {
  const Workplace work;
  const auto listed = nlohmann::json::parse(work.succeed("list --json").output);
  const auto described = nlohmann::json::parse(work.succeed("describe --all --json").output);
  CHECK(listed.size() >= 30);
  std::size_t number = 0;
  for (const auto& component : listed) {
    INFO(component.dump());
    CHECK(component.at("summary").get<std::string>().size() > 3);
    for (const auto& p : component.at("parameters"))
      CHECK(p.at("documentation").get<std::string>().size() > 3);
    if (!of_the_day(number++, 7)) continue;
    const std::string id = component.at("id");
    const auto one = nlohmann::json::parse(work.succeed("describe " + id + " --json").output);
    CHECK(one.at("parameters") == component.at("parameters"));
    CHECK(std::ranges::find(described, one) != described.end());
  }
}

}  // namespace describe_test
