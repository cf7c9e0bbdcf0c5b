// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include "generated/plane_source.hpp"

namespace semblance::sources {
namespace {

/// Concentric rings, one per class.
class Rings final : public PlaneSource {
 public:
  static Declaration<Rings> declare();

 private:
  PlanePoint draw(std::size_t label, Random& random) const override;
  std::size_t classes() const override { return static_cast<std::size_t>(classes_); }

  std::int64_t classes_ = 2;
};

PlanePoint Rings::draw(std::size_t label, Random& random) const {
  const double angle = 2 * std::numbers::pi * random.uniform();
  const double radius = double(label + 1);
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

Declaration<Rings> Rings::declare() {
  Declaration<Rings> declaration("source/rings", "Generated points of classes in concentric rings");
  declaration.parameter("classes", &Rings::classes_, "number of rings", at_least(2), at_most(1000));
  declare_plane(declaration);
  return declaration.documentation("Ring k = 1, 2, ... has radius k. Classes alternate row by row.")
      .example(R"(
        points: {is: source/rings, classes: 3}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, from: points}
        test:   {is: evaluator/classification, from: svm}
        plane:  {is: evaluator/boundary, from: svm})");
}

}  // namespace

ComponentEntry declare_rings() { return Rings::declare().entry(); }

}  // namespace semblance::sources
