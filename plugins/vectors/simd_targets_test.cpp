// SPDX-License-Identifier: MIT
#include "chi_square.hpp"
#include "deformable.hpp"
#include "polynomial.hpp"
#include "rbf.hpp"
#include "rigid.hpp"
#include "semblance_numerics/lesser_targets.hpp"
#include "similarity_testing.hpp"

namespace semblance {
namespace {

using namespace testing;

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
  numerics::on_lesser_targets([&](const char* target) {
    CAPTURE(target);
    const FloatMatrix other = results<Measure>(values);
    for (std::size_t i = 0; i < best.values.size(); ++i)
      CHECK(other.values[i] == doctest::Approx(best.values[i]).epsilon(1e-5));
  });
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
