// SPDX-License-Identifier: MIT
#include "problem.hpp"

namespace semblance::ml3 {

TrainingRows::TrainingRows(const Rows& all, Context& context) : rows(all.rows()), cols(all.cols()) {
  const OwnParts parts = context.collectives().own(RowParts(rows));
  first_row = parts.first_row;
  own = parts.rows > 0 ? all.view(first_row, parts.rows) : MatrixView{nullptr, 0, cols, cols};
}

}  // namespace semblance::ml3
