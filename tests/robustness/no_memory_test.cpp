// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>

#include "leftovers.hpp"
#include "pipelines.hpp"
#include "program.hpp"

using namespace semblance::testing;

namespace {

/// Runs a pipeline on so many generated rows in an address space of so many KiB.
Workplace::Outcome confined(const Workplace& work, std::size_t space, std::size_t rows) {
  work.file("rows.yaml", R"(name: rows
nodes:
  s: {is: source/xor, train: 4000, test: 10}
  v: {is: solver/linear_svm, from: s}
  e: {is: evaluator/classification, from: v}
)");
  return work.shell("ulimit -v " + std::to_string(space) +
                    "\nexec timeout -s KILL 300 \"$program\" run rows.yaml --quiet --threads 2 "
                    "--no-cache --out rows --set nodes.s.train=" +
                    std::to_string(rows));
}

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

TEST_CASE("where the address space is short, a run ends with its result or with one message" *
          doctest::skip(sanitized)) {
  const Workplace work;
  const auto refused = confined(work, 300000, 4000);
  INFO(refused.output);
  CHECK(refused.exit == 1);
  CHECK(refused.output.find("(ulimit -v)") != std::string::npos);
  CHECK(refused.output.find("raise the limit, or give a smaller --threads") != std::string::npos);

  for (const std::size_t rows : {20'000'000, 40'000'000, 80'000'000}) {
    const auto outcome = confined(work, 700000, rows);
    INFO(outcome.output);
    CHECK(outcome.exit == 1);
    CHECK((outcome.output.find("out of memory") != std::string::npos ||
           outcome.output.find("cannot run within --memory") != std::string::npos));
    CHECK(std::count(outcome.output.begin(), outcome.output.end(), '\n') == 1);
  }
  CHECK_MESSAGE(leftovers(work.path).empty(), leftovers(work.path));
  CHECK(confined(work, 700000, 4000).exit == 0);
}
