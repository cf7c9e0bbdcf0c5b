// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include "generated/drawn_source.hpp"

namespace semblance::sources {
namespace {

/// A point of the plane.
struct PlanePoint {
  double x = 0;
  double y = 0;
};

/// The common base of points of the plane with noise.
class PlaneSource : public RowByRowSource {
 protected:
  PlaneSource() : RowByRowSource(400, 1000) {}

  /// The point before noise.
  virtual PlanePoint point(std::size_t label, Random& random) const = 0;
  virtual std::int64_t classes() const { return 2; }

  DrawnShape shape() const override { return {Layout::vector(2), numbered_classes(classes())}; }
  DrawRow drawer(Random& random, RowSeeds& seeds) const override {
    seeds = RowSeeds(random);
    return [this](std::size_t label, Random& stream, std::span<float> row) {
      const PlanePoint at = point(label, stream);
      row[0] = static_cast<float>(at.x + noise_ * stream.normal());
      row[1] = static_cast<float>(at.y + noise_ * stream.normal());
      return 0.0;
    };
  }

  template <class T>
  static void declare_plane(Declaration<T>& declaration) {
    declare_sizes(declaration, "rows", 1e8);
    declaration
        .parameter("noise", &PlaneSource::noise_,
                   "standard deviation of the normal noise on both coordinates", at_least(0),
                   at_most(1e6))
        .gives(LayoutKind::vector)
        .random()
        .complexity("memory: 12 bytes per row");
  }

 private:
  double noise_ = 0.1;
};

/// Two crescents, each around an end of the other.
class Banana final : public PlaneSource {
 public:
  static Declaration<Banana> declare() {
    Declaration<Banana> declaration("source/banana",
                                    "Generated points of two classes in interlocked crescents");
    declare_plane(declaration);
    return declaration
        .documentation(
            "Half circles of radius 1 around (0, 0), open below, and (1, 0.5), open above, with "
            "normal noise. Classes alternate row by row. The data set of this name in the "
            "literature is a file: read it with source/csv.")
        .example(R"(
        points: {is: source/banana, noise: 0.3}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, from: points}
        test:   {is: evaluator/classification, from: svm}
        plane:  {is: evaluator/boundary, from: svm})");
  }

 private:
  PlanePoint point(std::size_t label, Random& random) const override {
    const double angle = std::numbers::pi * random.uniform();
    const PlanePoint upper = {std::cos(angle), std::sin(angle)};
    return label == 0 ? upper : PlanePoint{1 - upper.x, 0.5 - upper.y};
  }
};

/// Concentric rings, one per class.
class Rings final : public PlaneSource {
 public:
  static Declaration<Rings> declare() {
    Declaration<Rings> declaration("source/rings",
                                   "Generated points of classes in concentric rings");
    declaration.parameter("classes", &Rings::classes_, "number of rings", at_least(2),
                          at_most(1000));
    declare_plane(declaration);
    return declaration
        .documentation("Ring k = 1, 2, ... has radius k. Classes alternate row by row.")
        .example(R"(
        points: {is: source/rings, classes: 3}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, from: points}
        test:   {is: evaluator/classification, from: svm}
        plane:  {is: evaluator/boundary, from: svm})");
  }

 private:
  PlanePoint point(std::size_t label, Random& random) const override {
    const double angle = 2 * std::numbers::pi * random.uniform();
    const double radius = double(label + 1);
    return {radius * std::cos(angle), radius * std::sin(angle)};
  }
  std::int64_t classes() const override { return classes_; }

  std::int64_t classes_ = 2;
};

/// Two classes in the squares of a chess board; with 2x2 squares, the XOR problem.
class Xor final : public PlaneSource {
 public:
  static Declaration<Xor> declare() {
    Declaration<Xor> declaration("source/xor", "Generated points of two classes on a chessboard");
    declaration.parameter("squares", &Xor::squares_, "squares along each side of the board",
                          at_least(2), at_most(1000));
    declare_plane(declaration);
    return declaration
        .documentation(
            "Points are uniform over the squares of their class; the board covers [-1, 1] x [-1, "
            "1]. Two squares per side give the XOR problem. Classes alternate row by row.")
        .reference("ML3, Fig. 1 (left)")
        .example(R"(
        points: {is: source/xor, squares: 4, noise: 0.05}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 10}, C: 10, from: points}
        test:   {is: evaluator/classification, from: svm}
        plane:  {is: evaluator/boundary, from: svm})");
  }

 private:
  PlanePoint point(std::size_t label, Random& random) const override {
    const auto side = static_cast<std::uint64_t>(squares_);
    std::uint64_t column, row;
    do {  // a square of the class's colour
      column = random.below(side);
      row = random.below(side);
    } while ((column + row) % 2 != label);
    const double width = 2.0 / double(side);
    // In this order: x is drawn before y.
    const double x = -1 + width * (double(column) + random.uniform());
    return {x, -1 + width * (double(row) + random.uniform())};
  }

  std::int64_t squares_ = 2;
};

}  // namespace

ComponentEntry declare_banana() { return Banana::declare().entry(); }
ComponentEntry declare_rings() { return Rings::declare().entry(); }
ComponentEntry declare_xor() { return Xor::declare().entry(); }

}  // namespace semblance::sources
