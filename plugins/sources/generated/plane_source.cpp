// SPDX-License-Identifier: MIT
#include "generated/plane_source.hpp"

#include <algorithm>

#include "memory_dataset.hpp"

namespace semblance::sources {

void PlaneSource::check_parameters() const {
  if (train_ + test_ == 0) throw Error("'train' and 'test' are both 0, so there are no rows");
}

Outline PlaneSource::outline(Context&) const {
  Outline outline{
      Layout::vector(2), static_cast<std::size_t>(train_), static_cast<std::size_t>(test_), {}};
  for (std::size_t k = 0; k < classes(); ++k) outline.classes.push_back(std::to_string(k));
  return outline;
}

std::unique_ptr<Dataset> PlaneSource::open(Context& context) const {
  const Outline outline = this->outline(context);
  // Two seeds, so that the test samples do not depend on the number of training samples.
  Random random = context.random();
  const std::uint64_t train_seed = random.bits(), test_seed = random.bits();
  std::vector<float> values(2 * outline.rows());
  std::vector<std::int32_t> labels(outline.rows());
  context.parallel_for(block_count(outline.rows()), [&](std::size_t block) {
    context.check_stop();
    const std::size_t last = std::min(outline.rows(), (block + 1) * block_rows);
    for (std::size_t row = block * block_rows; row < last; ++row) {
      const bool test = row >= outline.train_rows;
      const std::size_t number = test ? row - outline.train_rows : row;
      const std::size_t label = number % classes();
      Random stream = Random::stream(test ? test_seed : train_seed, number);
      const PlanePoint point = draw(label, stream);
      labels[row] = static_cast<std::int32_t>(label);
      values[2 * row] = static_cast<float>(point.x + noise_ * stream.normal());
      values[2 * row + 1] = static_cast<float>(point.y + noise_ * stream.normal());
    }
  });
  return make_dataset(outline.layout, outline.classes, std::move(values), std::move(labels),
                      Split{outline.train_rows, outline.test_rows, {}});
}

}  // namespace semblance::sources
