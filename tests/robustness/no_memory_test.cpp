// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "leftovers.hpp"
#include "pipelines.hpp"
#include "program.hpp"

using namespace semblance::testing;

TEST_CASE("out of memory in a component is one message with its place; the next run is right") {
  const Workplace work;
  const std::string plugin = std::string(SEMBLANCE_TEST_PLUGINS) + "/throwing.so";
  for (const char* where : {"apply", "bind"}) {
    work.file("p.yaml", R"(name: full
nodes:
  s: {is: source/xor, train: 40, test: 10}
  f: {is: feature/throwing, where: 'bad_alloc )" +
                            std::string(where) + R"(', from: s}
  v: {is: solver/linear_svm, from: f}
  e: {is: evaluator/classification, from: v}
)");
    const auto outcome = work("run p.yaml --quiet --out out --plugin-path " + plugin);
    INFO(outcome.output);
    CHECK(outcome.exit == 1);
    CHECK(outcome.output.find("p.yaml:4:3: error: node 'f' (feature/throwing)") !=
          std::string::npos);
    CHECK(outcome.output.find("out of memory") != std::string::npos);
  }
  CHECK_MESSAGE(leftovers(work.path).empty(), leftovers(work.path));
  CHECK(work("run p.yaml --quiet --out out --set nodes.f.where=nowhere --plugin-path " + plugin)
            .exit == 0);
}
