// SPDX-License-Identifier: MIT
#include "all.hpp"

#include <numeric>

namespace semblance {

Declaration<AllBases> AllBases::declare() {
  return Declaration<AllBases>("basis/all", "All training rows")
      .documentation("In the order of the training rows: the full similarity matrix.")
      .complexity("one similarity for each pair of training rows when mapped");
}

std::vector<std::int64_t> AllBases::select(const TrainingSet& training, Context&) {
  if (training.rows.rows() == 0) throw Error("there are no training rows to choose from");
  std::vector<std::int64_t> rows(training.rows.rows());
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

std::size_t AllBases::count(std::size_t training_rows, std::size_t) const { return training_rows; }

}  // namespace semblance
