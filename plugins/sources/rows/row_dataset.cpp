// SPDX-License-Identifier: MIT
#include "rows/row_dataset.hpp"

namespace semblance::sources {

void RowAnswers::put_in(std::span<const std::size_t> order) {
  if (order.empty()) return;
  const auto reorder = [&](auto& list, std::size_t per_row) {
    if (list.empty()) return;
    std::remove_cvref_t<decltype(list)> ordered;
    ordered.reserve(order.size() * per_row);
    for (const std::size_t read : order)
      for (std::size_t k = 0; k < per_row; ++k)
        ordered.push_back(std::move(list[read * per_row + k]));
    list = std::move(ordered);
  };
  reorder(labels, 1);
  reorder(numbers, 1);
  reorder(names, 1);
  reorder(weights, 1);
  reorder(groups, 1);
  reorder(targets.values, targets.names.size());
}

std::size_t RowAnswers::bytes() const noexcept {
  std::size_t sum = (labels.size() + groups.size()) * sizeof(std::int32_t) +
                    numbers.size() * sizeof(std::int64_t) +
                    (weights.size() + targets.values.size()) * sizeof(double);
  for (const std::string& name : names) sum += sizeof name + name.capacity();
  return sum;
}

RowDataset::RowDataset(Outline outline, RowAnswers answers, std::vector<std::size_t> order,
                       std::unique_ptr<const RowValues> values)
    : outline_(std::move(outline)),
      answers_(std::move(answers)),
      order_(std::move(order)),
      values_(std::move(values)) {
  answers_.put_in(order_);
  if (outline_.layout.ragged() && outline_.values == 0)
    for (std::size_t row = 0; row < outline_.rows(); ++row) outline_.values += this->values(row);
}

std::size_t RowDataset::run(std::size_t first, std::size_t most) const {
  if (order_.empty()) return most;
  std::size_t count = 1;
  while (count < most && order_[first + count] == order_[first] + count) ++count;
  return count;
}

void RowDataset::read(std::size_t first, MutableMatrixView out) const {
  for (std::size_t done = 0; done < out.rows;) {
    const std::size_t count = run(first + done, out.rows - done);
    values_->read(place(first + done), out.rows_range(done, count));
    done += count;
  }
}

std::size_t RowDataset::bytes() const noexcept {
  return values_->bytes() + answers_.bytes() + order_.size() * sizeof(std::size_t);
}

MatrixView RowDataset::in_place(std::size_t first, std::size_t count) const noexcept {
  if (count == 0 || run(first, count) < count) return {};
  return values_->in_place(place(first), count);
}

std::unique_ptr<Dataset> make_dataset(const Layout& layout, std::vector<std::string> classes,
                                      RowAnswers answers, Split split,
                                      std::unique_ptr<const RowValues> values,
                                      std::vector<std::string> columns) {
  Outline outline{layout,
                  split.train_rows,
                  split.test_rows,
                  std::move(classes),
                  std::move(columns),
                  split.numbered_rows};
  outline.targets = answers.targets.names;
  return std::make_unique<RowDataset>(std::move(outline), std::move(answers),
                                      std::move(split.order), std::move(values));
}

}  // namespace semblance::sources
