// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>

#include "leftovers.hpp"
#include "pipelines.hpp"
#include "program.hpp"

namespace no_memory_test {

using namespace semblance::testing;

namespace {

/// Runs a pipeline on a number of generated rows under a limit like "-v 300000" (KiB).
Workplace::Outcome confined(const Workplace& work, const std::string& limit, std::size_t rows,
                            const std::string& options = "") {
  work.file("rows.yaml", R"(name: rows
nodes:
  s: {is: source/xor, train: 4000, test: 10}
  v: {is: solver/linear_svm, from: s}
  e: {is: evaluator/classification, from: v}
)");
  return work.shell("ulimit " + limit +
                    "\nexec timeout -s KILL 300 \"$program\" run rows.yaml --quiet --threads 2 "
                    "--no-cache --out rows --set nodes.s.train=" +
                    std::to_string(rows) + " " + options);
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

TEST_CASE("the program starts without a BLAS, whose threads take room before a limit is looked at" *
          doctest::skip(sanitized)) {  // whose code is not optimized enough to need none
  const Workplace work;
  const auto libraries = work.shell("ldd \"$program\"");
  REQUIRE(libraries.exit == 0);
  CHECK(contains(libraries, "libsemblance_sdk"));
  CHECK_FALSE(contains(libraries, "blas"));
}

TEST_CASE("where the address space is short, a run ends with its result or with one message" *
          doctest::skip(sanitized)) {
  const Workplace work;
  for (const char* limit : {"-v 300000", "-d 300000"}) {
    const auto refused = confined(work, limit, 4000);
    INFO(refused.output);
    CHECK(refused.exit == 1);
    CHECK(refused.output.find("(ulimit -v or -d)") != std::string::npos);
    CHECK(refused.output.find("raise the limit or lower --threads") != std::string::npos);
  }
  for (std::size_t n = 0; const char* limit : {"-v 700000", "-d 600000"}) {
    for (const std::size_t rows : {20'000'000, 40'000'000, 80'000'000}) {
      if (!of_the_day(n++, 6)) continue;
      const auto outcome = confined(work, limit, rows);
      INFO(outcome.output);
      CHECK(outcome.exit == 1);
      CHECK((outcome.output.find("out of memory") != std::string::npos ||
             outcome.output.find("does not fit into --memory") != std::string::npos ||
             outcome.output.find("MiB are left; raise --memory") != std::string::npos));
      CHECK(std::count(outcome.output.begin(), outcome.output.end(), '\n') == 1);
    }
    CHECK(confined(work, limit, 4000).exit == 0);
  }
  CHECK_MESSAGE(leftovers(work.path).empty(), leftovers(work.path));
}

TEST_CASE("a memory budget over what the address space leaves is refused with what it may be" *
          doctest::skip(sanitized)) {
  const Workplace work;
  const auto refused = confined(work, "-v 700000", 4000, "--memory 4G");
  INFO(refused.output);
  CHECK(refused.exit == 1);
  CHECK(refused.output.find("--memory 4G is more than the ") != std::string::npos);
  const std::string most = "use at most ";
  const auto remedy = refused.output.find(most);
  REQUIRE(remedy != std::string::npos);
  CHECK(confined(work, "-v 700000", 4000, refused.output.substr(remedy + most.size())).exit == 0);
}

}  // namespace no_memory_test
