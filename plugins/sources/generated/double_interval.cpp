// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "generated/generated_classes.hpp"

namespace semblance::sources {
namespace {

/// Vectors of -1 with two intervals of 1, whose starts determine the class.
class DoubleInterval final : public GeneratedClasses {
 public:
  DoubleInterval() : GeneratedClasses(15) {}
  static Declaration<DoubleInterval> declare();

 private:
  std::size_t dimension() const override { return static_cast<std::size_t>(dimension_); }
  std::int64_t class_count() const override;
  std::uint64_t room(std::int64_t c) const override;
  std::string class_name(std::int64_t c) const override;
  void fill(std::int64_t c, std::uint64_t example, std::span<float> out) const override;

  std::int64_t dimension_ = 500;
};

/// First positions of the two intervals, from 1: 2 <= i, i + 2 <= k <= n.
struct Starts {
  std::int64_t i = 0;
  std::int64_t k = 0;
};

/// Classes are numbered by i, then by k: n - 3 of them have i = 2, n - 4 have i = 3, ...
std::int64_t classes_before(std::int64_t i, std::int64_t n) {
  const std::int64_t a = i - 2;
  return a * (n - 3) - a * (a - 1) / 2;
}

Starts starts(std::int64_t c, std::int64_t n) {
  // The root of classes_before(i) = c, then corrected for rounding.
  const double b = double(2 * n - 5);
  auto i =
      2 + static_cast<std::int64_t>((b - std::sqrt(std::max(0.0, b * b - 8.0 * double(c)))) / 2);
  while (classes_before(i, n) > c) --i;
  while (classes_before(i + 1, n) <= c) ++i;
  return {i, i + 2 + (c - classes_before(i, n))};
}

std::int64_t DoubleInterval::class_count() const { return (dimension_ - 3) * (dimension_ - 2) / 2; }

std::uint64_t DoubleInterval::room(std::int64_t c) const {
  const Starts s = starts(c, dimension_);
  return static_cast<std::uint64_t>((s.k - 1 - s.i) * (dimension_ - s.k + 1));
}

std::string DoubleInterval::class_name(std::int64_t c) const {
  const Starts s = starts(c, dimension_);
  return "(" + std::to_string(s.i) + "," + std::to_string(s.k) + ")";
}

void DoubleInterval::fill(std::int64_t c, std::uint64_t example, std::span<float> out) const {
  const Starts s = starts(c, dimension_);
  const auto ends = static_cast<std::int64_t>(example);
  const std::int64_t j = s.i + ends % (s.k - 1 - s.i), l = s.k + ends / (s.k - 1 - s.i);
  std::fill(out.begin(), out.end(), -1.0f);
  std::fill(out.begin() + s.i - 1, out.begin() + j, 1.0f);
  std::fill(out.begin() + s.k - 1, out.begin() + l, 1.0f);
}

Declaration<DoubleInterval> DoubleInterval::declare() {
  Declaration<DoubleInterval> declaration("source/double_interval",
                                          "Generated vectors of -1 and 1 with two intervals of 1s");
  declaration.parameter("dimension", &DoubleInterval::dimension_, "dimension n of the vectors",
                        at_least(4), at_most(4000));
  declare_task(declaration);
  return declaration
      .documentation(
          "An example has the value 1 at the positions i to j and k to l, where 2 <= i <= j, j + 2 "
          "<= k <= l <= n, and -1 elsewhere. Its class is (i,k): (n - 3)(n - 2) / 2 classes. Class "
          "(i,k) has (k - 1 - i)(n - k + 1) distinct examples, few where k is close to i or "
          "n.\n\n" +
          task_documentation())
      .reference("pairwise SVM, section 6.2")
      .complexity("memory: 4 n bytes per row")
      .example(R"(
        vectors: {is: source/double_interval, dimension: 100, task: interclass, classes: 30, examples_per_class: 5}
        x:       {is: normalizer/unit_length, from: vectors}
        pairs:   {is: pairs/all, from: vectors}
        svm:     {is: solver/pairwise_svm, kernel: {is: pair_kernel/tensor_learning}, from: x, pairs: pairs}
        test:    {is: evaluator/verification, from: svm})");
}

}  // namespace

ComponentEntry declare_double_interval() { return DoubleInterval::declare().entry(); }

}  // namespace semblance::sources
