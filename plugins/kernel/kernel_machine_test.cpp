// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "classes/class_scores.hpp"
#include "kernel_svm_testing.hpp"
#include "semblance/error.hpp"

namespace semblance::kernel::kernel_machine_test {
namespace {

using namespace testing;

std::vector<float> scores(std::size_t classes, bool one_versus_one,
                          const std::vector<double>& decisions) {
  std::vector<float> out(classes);
  class_scores(classes, one_versus_one, opponents(classes, one_versus_one), decisions, out);
  return out;
}

TEST_CASE("problems are every class against every later one, or against the rest") {
  CHECK(opponents(4, true).size() == 6);
  CHECK(opponents(4, true)[5].first == 2);
  CHECK(opponents(4, true)[5].second == 3);
  CHECK(opponents(4, false).size() == 4);
  CHECK(opponents(4, false)[3].second == Opposed::rest);
  CHECK(opponents(2, false).size() == 1);
}

TEST_CASE("votes win over decision values of any size") {
  // 0 beats 1 and 2 narrowly; 1 beats 2 by far.
  const auto s = scores(3, true, {1e-3, 1e-3, 1e6});
  CHECK(s[0] > s[1]);
  CHECK(s[1] > s[2]);
  CHECK(s[0] == doctest::Approx(2).epsilon(1e-3));
  CHECK(s[1] < 1.34F);
}

TEST_CASE("equal votes are decided by the decision values, then by the order of the classes") {
  // 0 beats 1, 1 beats 2, 2 beats 0: one vote each.
  auto s = scores(3, true, {0.1, -0.1, 2.0});
  CHECK(s[1] > s[0]);
  CHECK(s[1] > s[2]);
  for (const float score : s) CHECK(static_cast<int>(score + 0.5F) == 1);
  s = scores(3, true, {0.5, -0.5, 0.5});
  CHECK(s[0] == s[1]);
  CHECK(s[1] == s[2]);
}

TEST_CASE("a decision value of zero is the second class's, as in LIBSVM") {
  const auto s = scores(2, true, {0.0});
  CHECK(s[1] > s[0]);
  CHECK(scores(2, true, {0.25}) == std::vector<float>{0.25F, -0.25F});
  const auto votes = scores(3, true, {0.0, -1.0, -1.0});
  CHECK(votes[1] > votes[0]);
}

TEST_CASE("against the rest the decision values are the scores") {
  CHECK(scores(3, false, {0.5, -1.0, 2.0}) == std::vector<float>{0.5F, -1.0F, 2.0F});
}

/// Another number of classes than was saved.
struct Damaged final : MemoryState {
  using MemoryState::integer;
  std::int64_t classes = 0;
  std::int64_t integer(std::string_view name) const override {
    return name == "classes" ? classes : MemoryState::integer(name);
  }
};

TEST_CASE("a damaged state is refused") {
  TestContext context;
  const LabelledRows samples = overlapping_clouds(30, 4, 3, 1.5F, 5);
  const auto svm = kernel_svm("similarity/rbf", {}, {{"gamma", 0.3}});
  train(*svm, samples, context);
  Damaged state;
  svm->save(state);
  const auto loaded = kernel_svm("similarity/rbf", {}, {{"gamma", 0.3}});
  loaded->bind(layout_of(samples.values));
  for (const std::int64_t classes : {0, 1, 2, 4, 1 << 21}) {
    state.classes = classes;
    CHECK_THROWS_WITH_AS(loaded->load(state, context),
                         "the kernel machine has arrays of the wrong size; train it again", Error);
  }
  state.classes = 3;
  loaded->load(state, context);
  CHECK(testing::scores(*loaded, samples.values, 3).values ==
        testing::scores(*svm, samples.values, 3).values);
}

}  // namespace
}  // namespace semblance::kernel::kernel_machine_test
