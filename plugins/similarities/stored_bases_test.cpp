// SPDX-License-Identifier: MIT
#include "stored_bases.hpp"

#include "linear.hpp"
#include "similarity_testing.hpp"

namespace semblance {
namespace {

using namespace testing;

TEST_CASE("bases and samples of the wrong size are refused with their sizes") {
  auto measure = make<Linear>({});
  TestContext context;
  measure->bind(Layout::vector(4));
  const FloatMatrix bases = normal_rows(2, 4, 1), wrong = normal_rows(3, 5, 2);
  CHECK_THROWS_WITH_AS(
      measure->set_bases(wrong.view(), first_indices(3), context),
      "the bases have 5 values, the samples 4; both must come from the same features", Error);
  CHECK_THROWS_WITH_AS(measure->set_bases(bases.view().rows_range(0, 0), {}, context),
                       "there are no bases to compare with; choose at least one", Error);
  measure->set_bases(bases.view(), first_indices(2), context);
  FloatMatrix out(3, 2);
  CHECK_THROWS_AS(measure->apply(wrong.view(), out.view(), context), Error);
  CHECK_THROWS_AS(measure->bind(Layout::vector(0)), Error);
}

TEST_CASE("a state made for other samples is refused") {
  TestContext context;
  MemoryState state;
  state.floats("bases", normal_rows(2, 5, 1).view());
  auto measure = make<Linear>({});
  measure->bind(Layout::vector(4));
  CHECK_THROWS_WITH_AS(measure->load(state, context),
                       "the saved bases have 5 values, the samples 4; give samples like those of "
                       "the training",
                       Error);
  CHECK_THROWS_AS(measure->load(MemoryState(), context), Error);
}

TEST_CASE("an empty block is nothing to do") {
  auto measure = make<Linear>({});
  TestContext context;
  measure->bind(Layout::vector(4));
  measure->set_bases(normal_rows(2, 4, 1).view(), first_indices(2), context);
  CHECK(compare(*measure, {nullptr, 0, 4, 4}, context).values.empty());
}

}  // namespace
}  // namespace semblance
