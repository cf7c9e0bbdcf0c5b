// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include <doctest/doctest.h>

#include <string>

#include "program.hpp"

namespace plugin_test {

using namespace semblance::testing;

namespace {

const std::string plugins = SEMBLANCE_TEST_PLUGINS;

}  // namespace

TEST_CASE("a plugin built for an earlier SDK is refused with both numbers and the remedy") {
  const Workplace work;
  const std::string file = plugins + "/previous_api.so";
  const std::string refusal =
      "plugin '" + file + "' cannot be used: it was built for SDK API " +
      std::to_string(semblance::sdk_api - 1) + ", but this program supports API " +
      std::to_string(semblance::sdk_api) + "; rebuild it with the SDK of this version\n";
  const auto listed = work("list --plugin-path " + file);
  CHECK(listed.exit == 1);
  CHECK(listed.output == "semblance: " + refusal);
  const auto checked = work("check-plugin " + file);
  CHECK(checked.exit == 1);
  CHECK(checked.output.find("  failed   loads: " + refusal) != std::string::npos);
  const std::string pipeline = work.file("p.yaml", "nodes:\n  s: {is: source/xor}\n");
  const auto run = work("run " + pipeline + " --plugin-path " + file);
  CHECK(run.exit == 1);
  CHECK(run.output.find(refusal) != std::string::npos);
}

}  // namespace plugin_test
