// SPDX-License-Identifier: MIT
#include "semblance_numerics/lesser_targets.hpp"
#include "string_testing.hpp"

namespace semblance::strings::simd_targets_test {
namespace {

using namespace testing;

void check_targets(const std::string& id, const Parameters& values, double tolerance = 0) {
  const Layout layout = Layout::string(150, "ACDEF");
  const auto bases = random_strings(45, 150, layout.alphabet, 1);
  const auto samples = random_strings(11, 150, layout.alphabet, 2);
  const FloatMatrix best = measured(id, values, layout, bases, samples);
  numerics::on_lesser_targets([&](const char* target) {
    CAPTURE(target);
    const FloatMatrix other = measured(id, values, layout, bases, samples);
    for (std::size_t i = 0; i < best.values.size(); ++i)
      CHECK(std::abs(other.values[i] - best.values[i]) <= tolerance);
  });
}

TEST_CASE("all SIMD targets of the CPU give the same bits") {
  check_targets("similarity/edit", {});
  check_targets("similarity/edit", {{"insertion", 2.0}});
  check_targets("similarity/edit", {{"insertion", 0.3}});
  check_targets("similarity/edit", {{"substitution", 2.0}});
  check_targets("similarity/lcs", {});
  check_targets("similarity/local_alignment", {});
  check_targets("similarity/local_alignment", {{"matrix", std::string("blosum62")}});
  check_targets("similarity/local_alignment", {{"match", std::int64_t{100}}, {"normalize", false}});
  check_targets("similarity/local_alignment", {{"gap_open", std::int64_t{900}},
                                               {"match", std::int64_t{100}},
                                               {"mismatch", std::int64_t{-100}}});
}

TEST_CASE("subsequence kernels agree but for the rounding of fused operations") {
  check_targets("similarity/subsequence", {}, 1e-6);
  check_targets("similarity/subsequence", {{"length", std::int64_t{9}}}, 1e-6);
}

}  // namespace
}  // namespace semblance::strings::simd_targets_test
