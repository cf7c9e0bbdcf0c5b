// SPDX-License-Identifier: MIT
#include "rigid.hpp"

#include "rigid_direct.hpp"

namespace semblance {

Declaration<Rigid> Rigid::declare() {
  return Declaration<Rigid>("similarity/rigid",
                            "Largest inner product over displacements of the whole grid of cells")
      .parameter("shift", &Rigid::shift_, "largest displacement h_R in each direction", at_least(0),
                 at_most(32), unit("cells"))
      .parameter("penalty", &Rigid::penalty_,
                 "weight of the squared displacement, subtracted (R(z) of eq. (7))", at_least(0))
      .accepts({LayoutKind::grid})
      .symmetric()
      .documentation(
          "Cells outside of the grid are zero. Moving the basis instead of the sample gives the "
          "same value, since the displacements are symmetric.")
      .reference("BE-SVM, eq. (11) and section 3.3: H4(1,0), H4(2,0), H8(1,0)")
      .complexity(
          "2 depth operations for each displacement and each cell that stays inside: 71,672 a "
          "pair for 8x8x31 and shift 2; nothing is kept for a displacement");
}

void Rigid::prepare(const Layout& input) {
  StoredBases::prepare(input);
  shifts_ =
      RigidShifts(CellGrid(input), static_cast<std::size_t>(shift_), static_cast<float>(penalty_));
}

double Rigid::operations() const noexcept {
  const CellGrid& grid = shifts_.grid;
  return 2.0 * static_cast<double>(grid.depth * pairs_inside(grid.height, shifts_.rows) *
                                   pairs_inside(grid.width, shifts_.cols));
}

void Rigid::compare(MatrixView in, MutableMatrixView out, Context& context) const {
  const numerics::PackedBlock block(in);
  for (std::size_t p = 0; p < packed().panels(); ++p) {
    context.check_stop();
    rigid_direct_panel(shifts_, block, packed(), p, out);
  }
}

}  // namespace semblance
