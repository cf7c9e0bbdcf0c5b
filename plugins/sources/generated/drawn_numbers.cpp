// SPDX-License-Identifier: MIT
#include "generated/drawn_numbers.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "memory_dataset.hpp"
#include "memory_limit.hpp"
#include "ragged_dataset.hpp"

namespace semblance::sources {

std::unique_ptr<Dataset> drawn_numbers(const Outline& outline, const DrawNumber& draw,
                                       Context& context) {
  const std::size_t rows = outline.rows(), size = outline.layout.size();
  check_fits(double(rows) * (double(size) * sizeof(float) + sizeof(double)),
             std::to_string(rows) + " rows", "generated", "", context);
  // Two seeds, so that the test samples do not depend on the number of training samples.
  Random random = context.random();
  const std::uint64_t train_seed = random.bits(), test_seed = random.bits();
  std::vector<float> values(rows * size);
  RowOrigins origins;
  origins.targets = {outline.targets, std::vector<double>(rows)};
  context.parallel_for(block_count(rows), [&](std::size_t block) {
    context.check_stop();
    const std::size_t last = std::min(rows, (block + 1) * block_rows);
    for (std::size_t row = block * block_rows; row < last; ++row) {
      const bool test = row >= outline.train_rows;
      Random stream =
          Random::stream(test ? test_seed : train_seed, test ? row - outline.train_rows : row);
      origins.targets.values[row] = draw(stream, std::span(values).subspan(row * size, size));
    }
  });
  const Split split{outline.train_rows, outline.test_rows, {}};
  const std::vector<std::int32_t> labels(rows, -1);
  if (!outline.layout.ragged())
    return make_dataset(outline.layout, {}, std::move(values), labels, split, std::move(origins));
  RaggedRows<float> ragged{std::move(values)};
  for (std::size_t row = 0; row < rows; ++row) ragged.offsets.push_back((row + 1) * size);
  return make_ragged_dataset(outline.layout, {}, std::move(ragged), labels, split,
                             std::move(origins));
}

}  // namespace semblance::sources
