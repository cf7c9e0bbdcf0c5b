// SPDX-License-Identifier: MIT
// Tests forks after the runtime's threads have started, and OpenBLAS as seen by other code in the
// process.
#include "runtime/services/process_threads.hpp"

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <thread>

#include "program.hpp"
#include "runtime/trained/trained_testing.hpp"

namespace process_threads_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

constexpr const char* maps = R"(name: clouds
nodes:
  rows:  {is: source/array, data: clouds}
  x:     {is: normalizer/zscore, from: rows}
  bases: {is: basis/random, count: 30, from: x}
  rbf:   {is: similarity/rbf, from: x, bases: bases}
  phi:   {is: normalizer/mean_norm, from: rbf}
  svm:   {is: solver/linear_svm, from: phi}
)";

/// The result of `body` in a forked child: 0 where it is true, 1 where it is false, -1 where the
/// child takes more than half a minute or dies.
int end_of_child(const std::function<bool()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(30);
    bool right = false;
    try {
      right = body();
    } catch (...) {
      right = false;
    }
    ::_exit(right ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// OpenBLAS, loaded as NumPy does.
struct Blas {
  Blas() : library(::dlopen("libopenblas.so.0", RTLD_NOW)) {
    if (!library) return;
    threads = reinterpret_cast<int (*)()>(::dlsym(library, "openblas_get_num_threads"));
    set_threads = reinterpret_cast<void (*)(int)>(::dlsym(library, "openblas_set_num_threads"));
  }
  void* library = nullptr;
  int (*threads)() = nullptr;
  void (*set_threads)(int) = nullptr;
};

}  // namespace

TEST_CASE("a child of a fork trains and applies, alone and with the same bits") {
  const TwoClouds clouds(2000);
  const HandedOver given("clouds", clouds.data());
  auto trained = trained_on(maps);
  const FloatMatrix scores = trained->apply("svm", clouds.view());
  CHECK(!lost_workers());
  for (int round = 0; round < 5; ++round)
    CHECK(end_of_child([&] {
            if (!lost_workers() || usable_threads(8) != 1) return false;
            if (trained->apply("svm", clouds.view()).values != scores.values) return false;
            trained.reset();
            const auto again = trained_on(maps);
            return again->apply("svm", clouds.view()).values == scores.values;
          }) == 0);
  CHECK(!lost_workers());
}

// The other thread may hold the lock of a sanitizer's memory, which nobody releases in the child.
TEST_CASE("a fork while another thread trains" * doctest::skip(sanitized)) {
  const TwoClouds clouds(2000);
  const HandedOver given("clouds", clouds.data());
  const auto trained = trained_on(maps);
  const FloatMatrix scores = trained->apply("svm", clouds.view());
  std::atomic<bool> enough = false;
  std::jthread other([&] {
    while (!enough) trained_on(maps);
  });
  for (int round = 0; round < 20; ++round)
    CHECK(end_of_child([&] {
            return trained_on(maps)->apply("svm", clouds.view()).values == scores.values;
          }) == 0);
  enough = true;
}

TEST_CASE("OpenBLAS has its threads back after a run, and one while it goes on") {
  const Blas blas;
  if (!blas.library) return;
  const int before = blas.threads();
  blas.set_threads(3);
  {
    const OneBlasThread one;
    CHECK(blas.threads() == 1);
    {
      const OneBlasThread another;
      blas.set_threads(1);  // as components do
    }
    CHECK(blas.threads() == 1);
  }
  CHECK(blas.threads() == 3);
  const TwoClouds clouds(200);
  const HandedOver given("clouds", clouds.data());
  trained_on(maps)->apply("svm", clouds.view());
  CHECK(blas.threads() == 3);
  {
    const OneBlasThread one;
    CHECK(end_of_child([&] { return blas.threads() == 3; }) == 0);
  }
  blas.set_threads(before);
}

}  // namespace process_threads_test
