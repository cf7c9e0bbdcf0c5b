// SPDX-License-Identifier: MIT
#include <hwy/targets.h>

#include "chi_square.hpp"
#include "deformable.hpp"
#include "polynomial.hpp"
#include "rbf.hpp"
#include "rigid.hpp"
#include "similarity_testing.hpp"

namespace semblance {
namespace {

using namespace testing;

// Kernels are compiled once a SIMD target; this runs them on one of the CPU's lesser targets.
class OnTarget {
 public:
  explicit OnTarget(std::int64_t target) { choose(target); }
  ~OnTarget() { choose(0); }
  OnTarget(const OnTarget&) = delete;
  OnTarget& operator=(const OnTarget&) = delete;

 private:
  static void choose(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

template <class Measure>
FloatMatrix results(const Parameters& values) {
  const Layout layout = Layout::grid(4, 5, 7);
  TestContext context;
  auto measure = make_measure<Measure>(values);
  measure->bind(layout);
  measure->set_bases(histogram_rows(37, layout.size(), 1).view(), first_indices(37), context);
  return compare(*measure, histogram_rows(29, layout.size(), 2).view(), context);
}

template <class Measure>
void check_targets(const Parameters& values) {
  const FloatMatrix best = results<Measure>(values);
  for (const std::int64_t target :
       {std::int64_t{HWY_AVX2}, std::int64_t{HWY_SSE4}, std::int64_t{HWY_STATIC_TARGET}}) {
    if ((hwy::SupportedTargets() & target) == 0) continue;
    CAPTURE(hwy::TargetName(target));
    const OnTarget lesser(target);
    const FloatMatrix other = results<Measure>(values);
    for (std::size_t i = 0; i < best.values.size(); ++i)
      CHECK(other.values[i] == doctest::Approx(best.values[i]).epsilon(1e-5));
  }
}

TEST_CASE("all SIMD targets of the CPU agree") {
  check_targets<Rbf>({{"gamma", 0.1}});
  check_targets<Polynomial>({});
  check_targets<ChiSquare>({{"gamma", 0.1}});
  check_targets<Deformable>({{"shift", std::int64_t{1}}});
  check_targets<Deformable>({{"shift", std::int64_t{1}}, {"precision", std::string("bf16")}});
  check_targets<Rigid>({{"shift", std::int64_t{2}}, {"precision", std::string("bf16")}});
  for (const char* method : {"direct", "transform"})
    check_targets<Rigid>({{"shift", std::int64_t{2}}, {"method", std::string(method)}});
}

}  // namespace
}  // namespace semblance
