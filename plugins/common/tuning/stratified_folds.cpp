// SPDX-License-Identifier: MIT
#include "tuning/stratified_folds.hpp"

namespace semblance::common {

std::vector<std::size_t> stratified_folds(std::span<const std::int32_t> labels, std::size_t classes,
                                          std::size_t folds, Random random) {
  std::vector<std::vector<std::size_t>> rows(classes);
  for (std::size_t i = 0; i < labels.size(); ++i)
    rows[static_cast<std::size_t>(labels[i])].push_back(i);
  std::vector<std::size_t> fold(labels.size());
  std::size_t next = 0;  // continues from class to class, so that no fold gets all remainders
  for (auto& of_class : rows) {
    random.shuffle(std::span(of_class));
    for (const std::size_t row : of_class) fold[row] = next++ % folds;
  }
  return fold;
}

}  // namespace semblance::common
