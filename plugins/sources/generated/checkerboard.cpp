// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>

#include "generated/generated_classes.hpp"

namespace semblance::sources {
namespace {

/// Points on a checkerboard, each square of which is a separate class.
class Checkerboard final : public GeneratedClasses {
 public:
  Checkerboard() : GeneratedClasses(5) {}
  static Declaration<Checkerboard> declare();

 private:
  std::size_t dimension() const override { return 2; }
  std::int64_t class_count() const override { return side_ * side_; }
  std::uint64_t room(std::int64_t c) const override;
  std::string class_name(std::int64_t c) const override;
  void fill(std::int64_t c, std::uint64_t example, std::span<float> out) const override;

  /// Fraction bits of a coordinate, few enough to be exact in float32.
  int fraction_bits() const;

  std::int64_t side_ = 25;
};

int Checkerboard::fraction_bits() const {
  return 24 - std::bit_width(static_cast<std::uint64_t>(side_ - 1));
}

std::uint64_t Checkerboard::room(std::int64_t) const {
  return std::uint64_t{1} << (2 * fraction_bits());
}

std::string Checkerboard::class_name(std::int64_t c) const {
  return "(" + std::to_string(c / side_) + "," + std::to_string(c % side_) + ")";
}

void Checkerboard::fill(std::int64_t c, std::uint64_t example, std::span<float> out) const {
  const int bits = fraction_bits();
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  out[0] = static_cast<float>(double(c / side_) + std::ldexp(double(example >> bits), -bits));
  out[1] = static_cast<float>(double(c % side_) + std::ldexp(double(example & mask), -bits));
}

Declaration<Checkerboard> Checkerboard::declare() {
  Declaration<Checkerboard> declaration("source/checkerboard",
                                        "Generated points on a checkerboard, one class per square");
  declaration.parameter("side", &Checkerboard::side_,
                        "m, the number of squares along each side of the board", at_least(2),
                        at_most(1000));
  declare_task(declaration);
  return declaration
      .documentation(
          "Points are uniform in [0, m) x [0, m), on a grid that float32 represents exactly. The "
          "class of (x1, x2) is floor(x1) m + floor(x2), named (floor(x1),floor(x2)): m^2 "
          "classes.\n\n" +
          task_documentation())
      .reference("pairwise SVM, section 6.1")
      .complexity("memory: 12 bytes per row")
      .example(R"(
        points: {is: source/checkerboard, task: interclass, classes: 50, examples_per_class: 5}
        pairs:  {is: pairs/all, from: points}
        svm:    {is: solver/pairwise_svm, kernel: {is: pair_kernel/metric_learning}, from: points, pairs: pairs}
        test:   {is: evaluator/verification, from: svm})");
}

}  // namespace

ComponentEntry declare_checkerboard() { return Checkerboard::declare().entry(); }

}  // namespace semblance::sources
