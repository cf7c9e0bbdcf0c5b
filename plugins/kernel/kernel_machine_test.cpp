// SPDX-License-Identifier: MIT
#include "kernel_machine.hpp"

#include <doctest/doctest.h>

#include "semblance/error.hpp"
#include "semblance/testing.hpp"

namespace semblance::kernel::kernel_machine_test {
namespace {

using namespace semblance::testing;

/// One vector with coefficient 1 per problem: the decision values are the kernel values.
KernelMachine plain(std::size_t classes, bool one_versus_one) {
  const std::size_t problems = opponents(classes, one_versus_one).size();
  std::vector<std::vector<Term>> terms;
  for (std::size_t p = 0; p < problems; ++p) terms.push_back({{p, 1.0}});
  const std::vector<std::size_t> starts{0, problems / 2, problems};
  return KernelMachine(classes, one_versus_one, std::vector<double>(problems), terms, starts);
}

std::vector<float> scores(const KernelMachine& machine, std::vector<float> decisions) {
  std::vector<float> out(machine.classes());
  machine.score({decisions.data(), 1, decisions.size(), decisions.size()},
                {out.data(), 1, out.size(), out.size()});
  return out;
}

TEST_CASE("problems are every class against every later one, or against the rest") {
  CHECK(opponents(4, true).size() == 6);
  CHECK(opponents(4, true)[5].positive == 2);
  CHECK(opponents(4, true)[5].negative == 3);
  CHECK(opponents(4, false).size() == 4);
  CHECK(opponents(4, false)[3].negative == Opponents::rest);
  CHECK(opponents(2, false).size() == 1);
}

TEST_CASE("votes win over decision values of any size") {
  // 0 beats 1 and 2 narrowly; 1 beats 2 by far.
  const auto s = scores(plain(3, true), {1e-3F, 1e-3F, 1e6F});
  CHECK(s[0] > s[1]);
  CHECK(s[1] > s[2]);
  CHECK(s[0] == doctest::Approx(2).epsilon(1e-3));
  CHECK(s[1] < 1.34F);
}

TEST_CASE("equal votes are decided by the decision values, then by the order of the classes") {
  // 0 beats 1, 1 beats 2, 2 beats 0: one vote each.
  auto s = scores(plain(3, true), {0.1F, -0.1F, 2.0F});
  CHECK(s[1] > s[0]);
  CHECK(s[1] > s[2]);
  for (const float score : s) CHECK(static_cast<int>(score + 0.5F) == 1);
  s = scores(plain(3, true), {0.5F, -0.5F, 0.5F});
  CHECK(s[0] == s[1]);
  CHECK(s[1] == s[2]);
}

TEST_CASE("a decision value of zero is the second class's, as in LIBSVM") {
  const auto s = scores(plain(2, true), {0.0F});
  CHECK(s[1] > s[0]);
  CHECK(scores(plain(2, true), {0.25F}) == std::vector<float>{0.25F, -0.25F});
  const auto votes = scores(plain(3, true), {0.0F, -1.0F, -1.0F});
  CHECK(votes[1] > votes[0]);
}

TEST_CASE("against the rest the decision values are the scores") {
  CHECK(scores(plain(3, false), {0.5F, -1.0F, 2.0F}) == std::vector<float>{0.5F, -1.0F, 2.0F});
}

TEST_CASE("a damaged state is refused") {
  const KernelMachine machine = plain(3, true);
  MemoryState state;
  machine.save(state);
  CHECK(scores(KernelMachine(state), {1, 2, 3}) == scores(machine, {1, 2, 3}));
  MemoryState wrong;
  wrong.integer("classes", 4);
  for (const char* name : {"one_versus_one", "vectors"}) wrong.integer(name, state.integer(name));
  for (const char* name : {"biases", "coefficients"}) wrong.doubles(name, state.doubles(name));
  for (const char* name : {"group_starts", "group_counts", "group_sizes", "group_problems"})
    wrong.integers(name, state.integers(name));
  CHECK_THROWS_AS(KernelMachine{wrong}, Error);
}

}  // namespace
}  // namespace semblance::kernel::kernel_machine_test
