// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

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

TEST_CASE("names that went: pipelines work with a warning, models of the version before without") {
  const Workplace work;
  const std::string now = " --quiet --plugin-path " + plugins + "/names/renamed.so";
  const std::string old = R"(name: p
nodes:
  t:     {is: source/xor, train: 60, test: 40}
  bases: {is: basis/random_per_class, per_class: 10, from: t}
  map:   {is: similarity/bell, sigma: 2, tail: heavy, from: t, bases: bases}
  svm:   {is: solver/linear_svm, from: map}
  test:  {is: evaluator/classification, from: svm}
)";
  work.file("p.yaml", old);
  work.succeed("run p.yaml --out before --plugin-path " + plugins + "/names/former.so");
  work.succeed("predict before/model --out predicted" + now);
  const auto predicted = [&](const char* folder) {
    return work.content(std::string(folder) + "/predictions/svm.csv");
  };
  CHECK(work.content("predicted/svm.csv") == predicted("before"));

  const std::string warnings =
      R"(p.yaml:5:15: warning: 'similarity/bell' is deprecated since 1.1
    5 |   map:   {is: similarity/bell, sigma: 2, tail: heavy, from: t, bases: bases}
      |               ^~~~~~~~~~~~~~~
      = write is: similarity/cauchy
p.yaml:5:32: warning: 'sigma' of similarity/cauchy is deprecated since 1.1
    5 |   map:   {is: similarity/bell, sigma: 2, tail: heavy, from: t, bases: bases}
      |                                ^~~~~
      = write width
p.yaml:5:48: warning: 'tail: heavy' of similarity/cauchy is deprecated since 1.1
    5 |   map:   {is: similarity/bell, sigma: 2, tail: heavy, from: t, bases: bases}
      |                                                ^~~~~
      = write tail: squared
)";
  const std::string path = " --plugin-path " + plugins + "/names/renamed.so";
  CHECK(work("check p.yaml" + path).output.starts_with(warnings));
  const auto run = work("run p.yaml --json --out after" + path);
  CHECK(run.exit == 0);
  std::size_t told = 0;
  for (std::size_t at = 0; (at = run.output.find("deprecated", at)) != std::string::npos; ++at)
    ++told;
  CHECK(told == 3);
  CHECK(predicted("after") == predicted("before"));

  work.file("gone.yaml", old.substr(0, old.find("sigma")) + "threads: 1" +
                             old.substr(old.find(", tail: heavy") + 13));
  work.expect("check gone.yaml" + path, 2, "error: 'threads' of similarity/cauchy is gone");
  work.expect("describe similarity/cauchy" + path, 0,
              "former names\n  sigma              is deprecated since 1.1: write width\n");
  work.succeed("describe --pages pages" + path);
  CHECK(work.content("pages/similarity/cauchy.md")
            .find("## Former names\n\n- `sigma` is deprecated since 1.1: write width\n") !=
        std::string::npos);
}

TEST_CASE("a library that is replaced at its place is looked at again") {
  const Workplace work;
  const std::filesystem::path own = work.path / "own.so";
  const auto put = [&](const char* plugin) {
    std::filesystem::copy_file(plugins + "/names/" + plugin, own,
                               std::filesystem::copy_options::overwrite_existing);
  };
  const auto knows = [&](const std::string& id) {
    return work("describe " + id + " --plugin-path own.so").exit == 0;
  };
  put("former.so");
  CHECK(knows("similarity/bell"));
  put("renamed.so");  // so soon that its times may be the same
  CHECK(!knows("similarity/bell"));
  CHECK(knows("similarity/cauchy"));
  std::this_thread::sleep_for(std::chrono::seconds(3));
  CHECK(knows("similarity/cauchy"));  // declarations are stored from now on
  CHECK(knows("similarity/cauchy"));
  put("former.so");
  CHECK(!knows("similarity/cauchy"));
  CHECK(knows("similarity/bell"));
}

}  // namespace plugin_test
