// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <fstream>

#include "program.hpp"

namespace doctor_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

namespace {

const std::string plugins = SEMBLANCE_TEST_PLUGINS;

}  // namespace

TEST_CASE("the doctor finds a sound program well, as text and as JSON") {
  const Workplace work;
  const auto text = work("doctor");
  INFO(text.output);
  CHECK(text.exit == 0);
  CHECK(contains(text, "no problems"));
  const auto outcome = work("doctor --json");
  CHECK(outcome.exit == 0);
  const auto json = nlohmann::json::parse(outcome.output);
  CHECK(json.at("all_well") == true);
  CHECK(json.at("plugins").at("components").get<int>() > 40);
  CHECK(contains(json.at("versions").at("libraries").dump(), "libtbb.so."));
  CHECK(json.at("versions").at("MPI").get<std::string>().size() > 5);
  const auto& found = json.at("plugins").at("what plugins found on this machine");
  CHECK(found.at("SIMD level of the kernels").get<std::string>().size() > 2);
  CHECK(found.contains("AMX"));
  CHECK(json.at("store").at("usable") == true);
  CHECK_FALSE(fs::exists(work.path / "cache"));  // it only looks
}

TEST_CASE("the doctor survives every broken plugin and says what is wrong with it") {
  const Workplace work;
  fs::create_directories(work.path / "plugins");
  for (const char* name : {"no_entry", "wrong_api", "other_fingerprint", "missing_symbol",
                           "throws_while_declaring", "throwing"})
    fs::copy(plugins + "/" + name + ".so", work.path / "plugins");
  work.file("plugins/text.so", "not a library");
  work.file("plugins/empty.so", "");
  fs::copy(plugins + "/throwing.so", work.path / "plugins/cut.so");
  fs::resize_file(work.path / "plugins/cut.so", 9000);
  fs::create_symlink("nowhere", work.path / "plugins/dangling.so");
  const auto outcome = work("doctor --plugin-path plugins");
  INFO(outcome.output);
  CHECK(outcome.exit == 1);
  for (const char* message :
       {"does not export the function 'semblance_plugin'", "it was built for SDK API 99",
        "its binary interface differs", "undefined symbol", "declaring its components failed",
        "file too short", "cut.so' cannot be used", "dangling.so' cannot be used",
        "problems found"})
    CHECK_MESSAGE(contains(outcome, message), message);
  CHECK(contains(outcome, "throwing.so: throwing 1.0.0, 5 components"));
  const auto missing = work("doctor --plugin-path /nowhere/at/all");
  CHECK(missing.exit == 1);
  CHECK(contains(missing, "the plugin path '/nowhere/at/all' (--plugin-path) cannot be used"));
}

TEST_CASE("the doctor survives a broken environment") {
  const Workplace work;
  const auto homeless = work.shell("unset HOME XDG_DATA_HOME; TMPDIR=/nowhere $program doctor");
  INFO(homeless.output);
  CHECK(homeless.exit == 0);
  const auto bare = work.shell("env -i $program doctor");
  CHECK_MESSAGE(bare.exit == 0, bare.output);
  const std::string file = work.file("occupied", "");
  const auto occupied = work("doctor --cache " + file);
  CHECK(occupied.exit == 1);
  CHECK(contains(occupied, "cannot be used: Not a directory"));
  const auto closed = work.shell("$program doctor <&- 2>&-");
  CHECK_MESSAGE(closed.exit == 0, closed.output);
  CHECK(work("doctor --nonsense").exit == 2);
}

}  // namespace doctor_test
