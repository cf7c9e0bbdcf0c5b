// SPDX-License-Identifier: MIT
#include "runtime/rows/layout_json.hpp"

#include <doctest/doctest.h>

#include "semblance/error.hpp"

namespace layout_json_test {

using namespace semblance;

TEST_CASE("every kind of layout comes back from a model") {
  for (const LayoutInfo& info : layouts())
    CHECK(layout_from_json(layout_json(info.example)) == info.example);
}

TEST_CASE("a pair that does not agree with its parts is refused") {
  const auto good = layout_json(Layout::pair(Layout::vector(3), Layout::sparse(5)));
  const auto refused = [&](const char* key, const nlohmann::ordered_json& value) {
    auto json = good;
    json[key] = value;
    CHECK_THROWS_AS(layout_from_json(json), Error);
  };
  refused("width", 7);
  refused("parts", nlohmann::ordered_json::array({layout_json(Layout::vector(3))}));
  refused("parts", nlohmann::ordered_json::array({good, good}));
}

}  // namespace layout_json_test
