// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "leftovers.hpp"
#include "pipelines.hpp"
#include "program.hpp"

using namespace semblance::testing;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool limits_memory_itself = true;
#else
constexpr bool limits_memory_itself = false;
#endif

}  // namespace

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

TEST_CASE("whatever the limit on its memory, the program ends with a message and its exit code") {
  if (limits_memory_itself) {
    MESSAGE("skipped: a sanitizer needs all of the address space");
    return;
  }
  const Workplace work;
  work.file("p.yaml", wide_pipeline);
  int refused = 0;
  for (const int megabytes : {60, 150, 250, 350, 450, 550, 700}) {
    const auto outcome = work.shell("ulimit -v " + std::to_string(1024 * megabytes) +
                                    "\n$program run p.yaml --threads 1 --quiet --out out\n");
    INFO(megabytes << " MiB\n" << outcome.output);
    CHECK((outcome.exit == 0 || outcome.exit == 1));
    refused += outcome.exit == 1;
    if (outcome.exit == 1) CHECK(outcome.output.find("semblance: ") != std::string::npos);
    CHECK_MESSAGE(leftovers(work.path).empty(), leftovers(work.path));
  }
  MESSAGE(refused << " of 7 limits were too small");
  CHECK(refused > 0);
  REQUIRE(work("run p.yaml --quiet --out out").exit == 0);
  REQUIRE(work("run p.yaml --quiet --no-cache --out whole").exit == 0);
  CHECK(results_of(work, "out") == results_of(work, "whole"));
}
