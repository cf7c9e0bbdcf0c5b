// SPDX-License-Identifier: MIT
// Measures how often each test finds a difference between methods that are equal by construction:
// at 5 %, this may happen in one case of twenty. Seeds are fixed; the bounds are four standard
// deviations for this number of repetitions.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <optional>
#include <random>

#include "statistics/paired_tests.hpp"

namespace semblance::statistics::false_positives_test {
namespace {

/// The same random numbers with every standard library.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : bits_(seed) {}
  double uniform() { return (static_cast<double>(bits_() >> 11) + 0.5) * 0x1p-53; }
  double normal() {
    return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform());
  }
  std::size_t below(std::size_t n) {
    return static_cast<std::size_t>(uniform() * static_cast<double>(n));
  }
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::mt19937_64 bits_;
};

/// The share of repetitions in which p is at most 5 %.
double rejected(int repetitions, const std::function<std::optional<double>()>& p) {
  int count = 0;
  for (int i = 0; i < repetitions; ++i) {
    const auto found = p();
    count += found && *found <= 0.05 ? 1 : 0;
  }
  return static_cast<double>(count) / repetitions;
}

double four_deviations(int repetitions) { return 4 * std::sqrt(0.05 * 0.95 / repetitions); }

std::vector<double> normals(Chance& chance, std::size_t count) {
  std::vector<double> values(count);
  for (double& value : values) value = chance.normal();
  return values;
}

TEST_CASE("Student's and Wilcoxon's tests keep 5 % on independent blocks") {
  constexpr int repetitions = 4000;
  Chance chance(1);
  for (const std::size_t blocks : {6, 10, 25}) {
    INFO(blocks << " blocks");
    const double t = rejected(repetitions, [&] { return paired_t_test(normals(chance, blocks)); });
    CHECK(std::abs(t - 0.05) < four_deviations(repetitions));
    const double wilcoxon =
        rejected(repetitions, [&] { return wilcoxon_signed_rank_test(normals(chance, blocks)); });
    CHECK(wilcoxon < 0.05 + four_deviations(repetitions));
    CHECK(wilcoxon > 0.02);  // its p values are discrete
  }
}

TEST_CASE("with fewer than six blocks Wilcoxon's test never reaches 5 %") {
  Chance chance(2);
  for (std::size_t blocks = 1; blocks < wilcoxon_fewest; ++blocks)
    CHECK(rejected(500, [&] { return wilcoxon_signed_rank_test(normals(chance, blocks)); }) == 0);
  CHECK(rejected(500, [&] { return wilcoxon_signed_rank_test(normals(chance, wilcoxon_fewest)); }) >
        0);
}

TEST_CASE("McNemar's test keeps 5 % on rows") {
  constexpr int repetitions = 3000;
  Chance chance(3);
  const double share = rejected(repetitions, [&] {
    std::size_t only_first = 0, only_second = 0;
    for (int row = 0; row < 400; ++row) {
      const double difficulty = chance.uniform();
      const bool first = chance.uniform() < difficulty, second = chance.uniform() < difficulty;
      only_first += first && !second ? 1 : 0;
      only_second += second && !first ? 1 : 0;
    }
    return mcnemar_test(only_first, only_second);
  });
  CHECK(share < 0.05 + four_deviations(repetitions));
  CHECK(share > 0.02);
}

TEST_CASE("Friedman's test and Nemenyi's distance keep 5 % on independent blocks") {
  constexpr int repetitions = 3000;
  Chance chance(4);
  const double critical = *nemenyi_critical_difference(4, 12);
  int apart = 0;
  const double share = rejected(repetitions, [&] {
    std::vector<std::vector<double>> blocks(12);
    for (auto& block : blocks) block = normals(chance, 4);
    const auto [least, greatest] = std::ranges::minmax(average_ranks(blocks, false));
    apart += greatest - least > critical ? 1 : 0;
    return friedman_test(blocks);
  });
  CHECK(std::abs(share - 0.05) < four_deviations(repetitions));
  CHECK(static_cast<double>(apart) / repetitions < 0.05 + four_deviations(repetitions));
}

TEST_CASE("after Holm's correction any of many tests is wrong in one case of twenty") {
  constexpr int repetitions = 3000;
  Chance chance(5);
  const double share = rejected(repetitions, [&] {
    std::vector<std::optional<double>> p;
    for (int test = 0; test < 10; ++test) p.emplace_back(paired_t_test(normals(chance, 8)));
    return *std::ranges::min(holm_correction(p));
  });
  CHECK(std::abs(share - 0.05) < four_deviations(repetitions));
}

/// Two features that distinguish two classes equally well. A method uses one of them, takes the
/// midpoint of the two class means, and decides by the side: equal by construction.
struct Sample {
  bool second_class;
  double features[2];
};

std::vector<Sample> samples(Chance& chance, std::size_t count) {
  std::vector<Sample> drawn(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double middle = i % 2 ? 0.8 : -0.8;
    drawn[i] = {i % 2 == 1, {chance.normal() + middle, chance.normal() + middle}};
  }
  return drawn;
}

double error_of(const std::vector<Sample>& all, const std::vector<std::size_t>& order,
                std::size_t tested, int feature) {
  double sums[2] = {}, counts[2] = {};
  for (std::size_t i = tested; i < order.size(); ++i) {
    const Sample& sample = all[order[i]];
    sums[sample.second_class] += sample.features[feature];
    ++counts[sample.second_class];
  }
  const double means[2] = {sums[0] / std::max(1.0, counts[0]), sums[1] / std::max(1.0, counts[1])};
  const double middle = (means[0] + means[1]) / 2;
  double errors = 0;
  for (std::size_t i = 0; i < tested; ++i) {
    const bool above = all[order[i]].features[feature] > middle;
    errors += (means[1] > means[0] ? above : !above) != all[order[i]].second_class ? 1 : 0;
  }
  return errors / static_cast<double>(tested);
}

std::vector<std::size_t> counted(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

/// Differences between the two methods on random splits of one set of samples.
std::vector<double> on_splits(Chance& chance, std::size_t splits, std::size_t tested) {
  const auto all = samples(chance, 120);
  std::vector<double> differences;
  for (std::size_t s = 0; s < splits; ++s) {
    auto order = counted(all.size());
    chance.shuffle(order);
    differences.push_back(error_of(all, order, tested, 0) - error_of(all, order, tested, 1));
  }
  return differences;
}

/// The differences on the folds of a cross-validation.
std::vector<double> on_folds(Chance& chance, std::size_t folds, const std::vector<Sample>& all) {
  auto order = counted(all.size());
  chance.shuffle(order);
  std::vector<double> differences;
  const std::size_t tested = all.size() / folds;
  for (std::size_t f = 0; f < folds; ++f) {
    std::ranges::rotate(order, order.begin() + static_cast<std::ptrdiff_t>(tested));
    differences.push_back(error_of(all, order, tested, 0) - error_of(all, order, tested, 1));
  }
  return differences;
}

TEST_CASE("on overlapping splits Student's test is far too sure, the corrected one is not") {
  constexpr int repetitions = 1500;
  struct Case {
    std::size_t splits, tested;
  };
  for (const auto& [splits, tested] : {Case{20, 40}, Case{10, 40}, Case{20, 12}}) {
    INFO(splits << " splits with " << tested << " of 120 rows for testing");
    const double ratio = static_cast<double>(tested) / static_cast<double>(120 - tested);
    Chance same(6), again(6), third(6);
    const double naive =
        rejected(repetitions, [&] { return paired_t_test(on_splits(same, splits, tested)); });
    const double corrected = rejected(repetitions, [&] {
      return resampled_t_test(on_splits(again, splits, tested), ratio, 1e-12);
    });
    const double wilcoxon = rejected(repetitions, [&] {
      return wilcoxon_signed_rank_test(on_splits(third, splits, tested), 1e-12);
    });
    INFO("naive " << naive << ", corrected " << corrected << ", Wilcoxon " << wilcoxon);
    CHECK(naive > 0.2);
    CHECK(wilcoxon > 0.2);
    CHECK(corrected < 0.05 + four_deviations(repetitions));
    CHECK(corrected > 0.005);
  }
}

TEST_CASE("on the folds of a cross-validation the corrected test keeps 5 %") {
  constexpr int repetitions = 3000;
  Chance chance(7);
  const double corrected = rejected(repetitions, [&] {
    return resampled_t_test(on_folds(chance, 10, samples(chance, 120)), 1.0 / 9, 1e-12);
  });
  INFO(corrected);
  CHECK(corrected < 0.05 + four_deviations(repetitions));
}

TEST_CASE(
    "over the folds of several cross-validations of the same data the corrected test keeps 5 %") {
  constexpr int repetitions = 1500;
  const auto differences = [](Chance& chance) {
    const auto all = samples(chance, 120);
    std::vector<double> folds;
    for (int seed = 0; seed < 6; ++seed)
      for (const double one : on_folds(chance, 5, all)) folds.push_back(one);
    return folds;
  };
  Chance same(9), again(9);
  const double naive = rejected(repetitions, [&] { return paired_t_test(differences(same)); });
  const double corrected =
      rejected(repetitions, [&] { return resampled_t_test(differences(again), 0.25, 1e-12); });
  INFO("naive " << naive << ", corrected " << corrected);
  CHECK(naive > 0.2);
  CHECK(corrected < 0.05 + four_deviations(repetitions));
}

TEST_CASE("over the folds of data drawn anew only the means of the draws keep 5 %") {
  constexpr int repetitions = 3000;
  constexpr std::size_t draws = 3, count = 5;
  // On each draw one of two methods is better by chance, on all of its folds.
  const auto differences = [](Chance& chance) {
    std::vector<double> folds;
    for (std::size_t d = 0; d < draws; ++d) {
      const double shared = chance.normal();
      for (std::size_t f = 0; f < count; ++f) folds.push_back(shared + 0.3 * chance.normal());
    }
    return folds;
  };
  Chance same(10), again(10);
  const double corrected =
      rejected(repetitions, [&] { return resampled_t_test(differences(same), 0.25, 1e-12); });
  const double by_means = rejected(repetitions, [&] {
    const auto folds = differences(again);
    std::vector<double> means(draws);
    for (std::size_t i = 0; i < folds.size(); ++i) means[i / count] += folds[i] / count;
    return paired_t_test(means);
  });
  INFO("corrected " << corrected << ", by means " << by_means);
  CHECK(corrected > 0.08);
  CHECK(std::abs(by_means - 0.05) < four_deviations(repetitions));
}

/// Several trainings of two methods, always tested on the same samples. Each sample is harder for
/// one of the methods by chance, and each training is better or worse by chance.
std::vector<std::vector<double>> trainings(Chance& chance, std::size_t count, double of_rows,
                                           double of_trainings) {
  std::vector<std::vector<double>> differences(count, std::vector<double>(300));
  std::vector<double> ability(2 * count);
  for (double& value : ability) value = of_trainings * chance.normal();
  for (std::size_t r = 0; r < 300; ++r) {
    const double hardness = chance.normal();
    const double own[2] = {of_rows * chance.normal(), of_rows * chance.normal()};
    for (std::size_t s = 0; s < count; ++s) {
      bool right[2];
      for (std::size_t m = 0; m < 2; ++m)
        right[m] = ability[2 * s + m] + own[m] + hardness + 0.5 * chance.normal() > -0.5;
      differences[s][r] = static_cast<double>(right[0]) - static_cast<double>(right[1]);
    }
  }
  return differences;
}

std::vector<double> means_of_trainings(const std::vector<std::vector<double>>& differences) {
  std::vector<double> means;
  for (const auto& one : differences)
    means.push_back(std::accumulate(one.begin(), one.end(), 0.0) / static_cast<double>(one.size()));
  return means;
}

TEST_CASE("on one set of test rows seeds alone are far too sure, rows and seeds together are not") {
  constexpr int repetitions = 800;
  struct Case {
    double of_rows, of_trainings;
    bool seeds_are_wrong;
  };
  for (const auto& [of_rows, of_trainings, seeds_are_wrong] :
       {Case{0.8, 0.02, true}, Case{0.8, 0.1, true}, Case{0.1, 0.4, false}}) {
    INFO("rows vary by " << of_rows << ", trainings by " << of_trainings);
    Chance same(8), again(8);
    const double crossed = rejected(
        repetitions, [&] { return crossed_t_test(trainings(same, 10, of_rows, of_trainings)); });
    const double seeds = rejected(repetitions, [&] {
      return paired_t_test(means_of_trainings(trainings(again, 10, of_rows, of_trainings)));
    });
    INFO("rows and seeds " << crossed << ", seeds alone " << seeds);
    CHECK(crossed < 0.05 + four_deviations(repetitions));
    if (seeds_are_wrong) CHECK(seeds > 0.15);
  }
}

}  // namespace
}  // namespace semblance::statistics::false_positives_test
