// SPDX-License-Identifier: MIT
#include "generated/plane_source.hpp"

namespace semblance::sources {
namespace {

/// Two classes in the squares of a chess board; with 2x2 squares, the XOR problem.
class Xor final : public PlaneSource {
 public:
  static Declaration<Xor> declare();

 private:
  PlanePoint draw(std::size_t label, Random& random) const override;

  std::int64_t squares_ = 2;
};

PlanePoint Xor::draw(std::size_t label, Random& random) const {
  const auto side = static_cast<std::uint64_t>(squares_);
  std::uint64_t column, row;
  do {  // a square of the class's colour
    column = random.below(side);
    row = random.below(side);
  } while ((column + row) % 2 != label);
  const double width = 2.0 / double(side);
  return {-1 + width * (double(column) + random.uniform()),
          -1 + width * (double(row) + random.uniform())};
}

Declaration<Xor> Xor::declare() {
  Declaration<Xor> declaration("source/xor", "Generated points of two classes on a chessboard");
  declaration.parameter("squares", &Xor::squares_, "squares along each side of the board",
                        at_least(2), at_most(1000));
  declare_plane(declaration);
  return declaration
      .documentation(
          "Points are uniform over the squares of their class; the board covers [-1, 1] x [-1, 1]. "
          "Two squares per side give the XOR problem. Classes alternate row by row.")
      .reference("ML3, Fig. 1 (left)")
      .example(R"(
        points: {is: source/xor, squares: 4, noise: 0.05}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 10}, C: 10, from: points}
        test:   {is: evaluator/classification, from: svm}
        plane:  {is: evaluator/boundary, from: svm})");
}

}  // namespace

ComponentEntry declare_xor() { return Xor::declare().entry(); }

}  // namespace semblance::sources
