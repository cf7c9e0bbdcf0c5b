// SPDX-License-Identifier: MIT
#include "semblance_numerics/row_sums.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "semblance/random.hpp"

namespace semblance::numerics::row_sums_test {
namespace {

TEST_CASE("rows are added up in double") {
  Random random(5);
  for (const std::size_t count : {1, 7, 1024, 1500})
    for (const std::size_t rows : {1, 4, 6}) {
      std::vector<std::vector<float>> values(rows, std::vector<float>(count));
      std::vector<const float*> pointers;
      std::vector<double> factors, f(count), expected(count);
      for (auto& row : values) {
        for (float& x : row) x = static_cast<float>(random.normal());
        pointers.push_back(row.data());
        factors.push_back(random.normal());
      }
      for (std::size_t j = 0; j < count; ++j) {
        f[j] = expected[j] = random.normal();
        for (std::size_t r = 0; r < rows; ++r) expected[j] += factors[r] * double(values[r][j]);
      }
      add_rows(pointers.data(), factors.data(), rows, f.data(), count);
      for (std::size_t j = 0; j < count; ++j) REQUIRE(std::abs(f[j] - expected[j]) < 1e-14 * 20);
    }
}

}  // namespace
}  // namespace semblance::numerics::row_sums_test
