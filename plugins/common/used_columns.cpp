// SPDX-License-Identifier: MIT
#include "used_columns.hpp"

#include <algorithm>

#include "semblance/error.hpp"

namespace semblance::common {
namespace {

TrainingSet on(const Rows& rows, std::span<const std::string> names, const TrainingSet& given) {
  return {rows,
          Layout::sparse(rows.cols()),
          given.labels,
          given.classes,
          given.bases,
          given.widths,
          given.inputs,
          names,
          given.row_numbers,
          given.weights,
          given.groups,
          given.targets,
          given.target_names};
}

}  // namespace

UsedColumns::UsedColumns(const TrainingSet& given, Context& context)
    : rows_(given.rows),
      used_(numerics::OccurringColumns::of(given, context)),
      names_(given.columns.empty() || used_.are_all() ? 0 : used_.size()),
      set_(used_.are_all() ? given : on(*this, names_, given)) {
  for (std::size_t k = 0; k < names_.size(); ++k) names_[k] = given.columns[used_.column(k)];
  if (!used_.are_all()) copy_places(context);
}

void UsedColumns::copy_places(Context& context) {
  const auto visit = [&](const auto& take) {
    for (std::size_t first = 0; first < rows_.rows(); first += block_rows) {
      const std::size_t count = std::min(block_rows, rows_.rows() - first);
      take(rows_.view(first, count));
      rows_.release(first, count);
    }
  };
  starts_.assign(1, 0);
  starts_.reserve(rows_.rows() + 1);
  visit([&](MatrixView view) {
    for (std::size_t i = 0; i < view.rows; ++i) starts_.push_back(starts_.back() + view.size(i));
  });
  const std::size_t entries = starts_.back();
  const std::size_t needed = entries * sizeof(std::uint32_t) + starts_.size() * sizeof(std::size_t);
  if (needed > context.memory_budget())
    throw MemoryError("the columns of " + std::to_string(entries) + " values in " +
                      std::to_string(rows_.rows()) + " sparse rows take " +
                      std::to_string((needed >> 20) + 1) + " MiB, but " +
                      std::to_string(context.memory_budget() >> 20) +
                      " MiB are left; raise --memory or train on fewer rows");
  columns_.reserve(std::max<std::size_t>(entries, 1));  // without a pointer rows are not sparse
  visit([&](MatrixView view) {
    for (std::size_t i = 0; i < view.rows; ++i)
      for (const std::uint32_t column : view.columns_of(i))
        columns_.push_back(static_cast<std::uint32_t>(used_.place(column)));
  });
}

std::size_t UsedColumns::bytes() const noexcept {
  return used_.bytes() + columns_.capacity() * sizeof(std::uint32_t) +
         starts_.capacity() * sizeof(std::size_t);
}

MatrixView UsedColumns::view(std::size_t first, std::size_t count) const {
  const MatrixView all = rows_.view(first, count);
  if (used_.are_all()) return all;
  // The entries of rows that are next to each other are, too.
  const auto ahead =
      static_cast<std::ptrdiff_t>(all.offsets[0]) - static_cast<std::ptrdiff_t>(starts_[first]);
  return {all.data + ahead, count, used_.size(), all.stride, &starts_[first], columns_.data()};
}

}  // namespace semblance::common
