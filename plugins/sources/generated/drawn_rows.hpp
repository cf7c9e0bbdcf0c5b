// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "memory_limit.hpp"
#include "ragged_dataset.hpp"
#include "semblance/context.hpp"
#include "semblance/random.hpp"

namespace semblance::sources {

/// The number of rows of a generated task; classes alternate row by row.
struct DrawnSizes {
  std::size_t classes = 0;
  std::size_t train = 0;  ///< rows of each class
  std::size_t test = 0;   ///< rows of each class

  std::size_t train_rows() const noexcept { return classes * train; }
  std::size_t rows() const noexcept { return classes * (train + test); }
  std::size_t class_of(std::size_t row) const noexcept {
    return (row < train_rows() ? row : row - train_rows()) % classes;
  }
};

/// One random stream per row, so that a test sample does not depend on the number of training
/// samples.
class RowStreams {
 public:
  RowStreams(const DrawnSizes& sizes, Random& random)
      : train_rows_(sizes.train_rows()), train_seed_(random.bits()), test_seed_(random.bits()) {}
  Random operator()(std::size_t row) const {
    return row < train_rows_ ? Random::stream(train_seed_, row)
                             : Random::stream(test_seed_, row - train_rows_);
  }

 private:
  std::size_t train_rows_;
  std::uint64_t train_seed_, test_seed_;
};

/// Uniform in {shortest, ..., longest}: the first draw from a row's stream.
inline std::size_t drawn_length(Random& random, std::size_t shortest, std::size_t longest) {
  return shortest + static_cast<std::size_t>(random.below(longest - shortest + 1));
}

/// The outline of drawn_dataset(): rows of `shortest` to layout.width steps.
inline Outline drawn_outline(const Layout& layout, const DrawnSizes& sizes,
                             const RowStreams& streams, std::size_t shortest) {
  Outline outline{layout, sizes.train_rows(), sizes.rows() - sizes.train_rows(), {}};
  for (std::size_t k = 0; k < sizes.classes; ++k) outline.classes.push_back(std::to_string(k));
  for (std::size_t row = 0; row < sizes.rows(); ++row) {
    Random random = streams(row);
    outline.values += layout.depth * drawn_length(random, shortest, layout.width);
  }
  return outline;
}

/// Fills the values of a row of a class; called for several rows at once.
template <class T>
using DrawRow = std::function<void(std::size_t label, Random& random, std::span<T> out)>;

template <class T>
std::unique_ptr<Dataset> drawn_dataset(const Layout& layout, const DrawnSizes& sizes,
                                       const RowStreams& streams, std::size_t shortest,
                                       const DrawRow<T>& draw, Context& context) {
  check_fits(double(sizes.rows()) * double(layout.size()) * sizeof(T),
             std::to_string(sizes.rows()) + " rows", "generated", "", context);
  RaggedRows<T> rows;
  std::vector<std::int32_t> labels;
  for (std::size_t row = 0; row < sizes.rows(); ++row) {
    Random random = streams(row);
    const std::size_t size = layout.depth * drawn_length(random, shortest, layout.width);
    rows.offsets.push_back(rows.offsets.back() + size);
    labels.push_back(static_cast<std::int32_t>(sizes.class_of(row)));
  }
  rows.values.resize(rows.offsets.back());
  constexpr std::size_t rows_a_task = 64;
  context.parallel_for((sizes.rows() + rows_a_task - 1) / rows_a_task, [&](std::size_t task) {
    context.check_stop();
    const std::size_t end = std::min(sizes.rows(), (task + 1) * rows_a_task);
    for (std::size_t row = task * rows_a_task; row < end; ++row) {
      Random random = streams(row);
      drawn_length(random, shortest, layout.width);
      draw(sizes.class_of(row), random,
           std::span(rows.values).subspan(rows.offsets[row], rows.size(row)));
    }
  });
  std::vector<std::string> classes;
  for (std::size_t k = 0; k < sizes.classes; ++k) classes.push_back(std::to_string(k));
  return make_ragged_dataset(layout, std::move(classes), std::move(rows), std::move(labels),
                             Split{sizes.train_rows(), sizes.rows() - sizes.train_rows(), {}, 0});
}

}  // namespace semblance::sources
