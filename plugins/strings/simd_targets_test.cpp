// SPDX-License-Identifier: MIT
#include "edit.hpp"
#include "lcs.hpp"
#include "local_alignment.hpp"
#include "semblance_numerics/lesser_targets.hpp"
#include "string_testing.hpp"
#include "subsequence.hpp"

namespace semblance {
namespace {

using namespace testing;

template <class Measure>
void check_targets(const Parameters& values, double tolerance = 0) {
  const Layout layout = Layout::string(150, "ACDEF");
  const auto bases = random_strings(45, 150, layout.alphabet, 1);
  const auto samples = random_strings(11, 150, layout.alphabet, 2);
  const FloatMatrix best = measured<Measure>(values, layout, bases, samples);
  numerics::on_lesser_targets([&](const char* target) {
    CAPTURE(target);
    const FloatMatrix other = measured<Measure>(values, layout, bases, samples);
    for (std::size_t i = 0; i < best.values.size(); ++i)
      CHECK(std::abs(other.values[i] - best.values[i]) <= tolerance);
  });
}

TEST_CASE("all SIMD targets of the CPU give the same bits") {
  check_targets<Edit>({});
  check_targets<Edit>({{"insertion", 2.0}});
  check_targets<Edit>({{"insertion", 0.3}});
  check_targets<Edit>({{"substitution", 2.0}});
  check_targets<Lcs>({});
  check_targets<LocalAlignment>({});
  check_targets<LocalAlignment>({{"matrix", std::string("blosum62")}});
  check_targets<LocalAlignment>({{"match", std::int64_t{100}}, {"normalize", false}});
  check_targets<LocalAlignment>({{"gap_open", std::int64_t{900}},
                                 {"match", std::int64_t{100}},
                                 {"mismatch", std::int64_t{-100}}});
}

TEST_CASE("subsequence kernels agree but for the rounding of fused operations") {
  check_targets<Subsequence>({}, 1e-6);
  check_targets<Subsequence>({{"length", std::int64_t{9}}}, 1e-6);
}

}  // namespace
}  // namespace semblance
