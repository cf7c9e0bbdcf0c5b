// SPDX-License-Identifier: MIT
#include "tuning/stratified_folds.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace stratified_folds_test {

using semblance::Random;
using semblance::common::stratified_folds;

TEST_CASE("folds have nearly the same size, and nearly the same number of rows of each class") {
  std::vector<std::int32_t> labels;
  for (int i = 0; i < 97; ++i) labels.push_back(i < 50 ? 0 : i < 93 ? 1 : 2);
  const auto folds = stratified_folds(labels, 3, 5, Random(1));
  REQUIRE(folds.size() == 97);
  std::vector<std::size_t> sizes(5), of_class(15);
  for (std::size_t i = 0; i < 97; ++i) {
    REQUIRE(folds[i] < 5);
    ++sizes[folds[i]];
    ++of_class[static_cast<std::size_t>(labels[i]) * 5 + folds[i]];
  }
  CHECK(std::ranges::max(sizes) - std::ranges::min(sizes) <= 1);
  for (std::size_t c = 0; c < 3; ++c) {
    const auto row = std::span(of_class).subspan(c * 5, 5);
    CHECK(std::ranges::max(row) - std::ranges::min(row) <= 1);
  }
}

TEST_CASE("the folds depend on the seed, and on nothing else") {
  const std::vector<std::int32_t> labels(50, 0);
  CHECK(stratified_folds(labels, 1, 5, Random(1)) == stratified_folds(labels, 1, 5, Random(1)));
  CHECK(stratified_folds(labels, 1, 5, Random(1)) != stratified_folds(labels, 1, 5, Random(2)));
}

}  // namespace stratified_folds_test
