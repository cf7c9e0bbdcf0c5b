// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include "generated/plane_source.hpp"

namespace semblance::sources {
namespace {

/// Two crescents, each around an end of the other.
class Banana final : public PlaneSource {
 public:
  static Declaration<Banana> declare();

 private:
  PlanePoint draw(std::size_t label, Random& random) const override;
};

PlanePoint Banana::draw(std::size_t label, Random& random) const {
  const double angle = std::numbers::pi * random.uniform();
  const PlanePoint upper = {std::cos(angle), std::sin(angle)};
  return label == 0 ? upper : PlanePoint{1 - upper.x, 0.5 - upper.y};
}

Declaration<Banana> Banana::declare() {
  Declaration<Banana> declaration("source/banana",
                                  "Generated points of two classes in interlocked crescents");
  declare_plane(declaration);
  return declaration
      .documentation(
          "Half circles of radius 1 around (0, 0), open below, and (1, 0.5), open above, with "
          "normal noise. Classes alternate row by row. The data set of this name in the literature "
          "is a file: read it with source/csv.")
      .example(R"(
        points: {is: source/banana, noise: 0.3}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, from: points}
        test:   {is: evaluator/classification, from: svm}
        plane:  {is: evaluator/boundary, from: svm})");
}

}  // namespace

ComponentEntry declare_banana() { return Banana::declare().entry(); }

}  // namespace semblance::sources
