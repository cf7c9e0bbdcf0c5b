// SPDX-License-Identifier: MIT
#include "semblance/basis_checks.hpp"

#include <string>

#include "semblance/error.hpp"

namespace semblance::basis_checks {

void check_has_values(const Layout& samples) {
  if (samples.size() == 0)
    throw Error("the samples have no values (" + describe(samples) +
                "); there is nothing to compare");
}

void check_not_empty(MatrixView bases) {
  if (bases.rows == 0) throw Error("there are no bases to compare with; choose at least one");
}

FloatMatrix saved_bases(const StateReader& state, const Layout& samples) {
  FloatMatrix bases = state.floats("bases");
  if (bases.cols != samples.size())
    throw Error("the saved bases have " + std::to_string(bases.cols) + " values, the samples " +
                std::to_string(samples.size()) + "; use samples like those trained on");
  return bases;
}

void check_room(std::size_t bases, MutableMatrixView out) {
  if (out.cols != bases)
    throw Error("there are " + std::to_string(bases) + " bases, but room for " +
                std::to_string(out.cols) + " similarities per row");
}

void check_range(std::size_t bases, std::size_t first, MutableMatrixView out) {
  if (first > bases || out.cols > bases - first)
    throw Error("there are " + std::to_string(bases) + " bases; [" + std::to_string(first) + ", " +
                std::to_string(first + out.cols) + ") is not a range of them");
}

}  // namespace semblance::basis_checks
