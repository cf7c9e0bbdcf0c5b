// SPDX-License-Identifier: MIT
#include "shared_source.hpp"

#include <algorithm>
#include <cstring>

#include "semblance/collectives.hpp"
#include "semblance/error.hpp"
#include "training_checks.hpp"

namespace semblance::kernel {
namespace {

// With fewer rows at a time, the bases would be read from memory too often.
constexpr std::size_t fewest_rows_a_task = 16;

}  // namespace

SharedSource::SharedSource(Similarity& similarity, const SortedRows& rows, Context& context)
    : similarity_(similarity), rows_(rows), context_(context) {
  const Collectives& ranks = context.collectives();
  const RowParts parts(rows.order.size());
  owners_.reserve(ranks.ranks());
  for (std::size_t r = 0; r < ranks.ranks(); ++r)
    owners_.push_back(parts_of(parts, r, ranks.ranks()));
  rows.set_own_bases(similarity, owners_[ranks.rank()], context);
}

std::vector<std::uint32_t> SharedSource::owners() const {
  std::vector<std::uint32_t> found(rows_.order.size());
  for (std::uint32_t r = 0; r < owners_.size(); ++r)
    for (std::size_t place = 0; place < found.size(); ++place)
      if (owners_[r].has_row(rows_.order[place])) found[place] = r;
  return found;
}

/// Fetches some training samples from the ranks that have them, in one message if they have one
/// size.
FloatMatrix SharedSource::samples(std::span<const std::uint32_t> training_rows) const {
  const std::vector<std::int64_t> positions(training_rows.begin(), training_rows.end());
  if (!rows_.sizes.empty()) return gather_rows(rows_.rows, positions, context_);
  Collectives& ranks = context_.collectives();
  const std::size_t cols = rows_.rows.cols();
  std::vector<float> own;
  for (const std::uint32_t row : training_rows)
    if (owners_[ranks.rank()].has_row(row)) {
      const MatrixView view = rows_.rows.view(row, 1);
      own.insert(own.end(), view.data, view.data + cols);
    }
  const std::vector<std::byte> sent = ranks.gather(std::as_bytes(std::span(own)));
  FloatMatrix all(training_rows.size(), cols);
  if (sent.size() != std::as_bytes(std::span(all.values)).size())
    throw Error("internal error: rows of other ranks are missing");
  const std::byte* from = sent.data();
  for (const OwnParts& owner : owners_)
    for (std::size_t i = 0; i < training_rows.size(); ++i) {
      if (!owner.has_row(training_rows[i])) continue;
      std::memcpy(all.view().row(i), from, cols * sizeof(float));
      from += cols * sizeof(float);
    }
  return all;
}

void SharedSource::compute_own(MatrixView samples, std::size_t first_column,
                               MutableMatrixView out) const {
  if (out.cols == 0) return;
  const std::size_t tasks =
      std::clamp<std::size_t>(samples.rows / fewest_rows_a_task, 1, context_.threads());
  context_.parallel_for(tasks, [&](std::size_t t) {
    const std::size_t first = samples.rows * t / tasks;
    const std::size_t count = samples.rows * (t + 1) / tasks - first;
    rows_.compare(similarity_, samples.rows_range(first, count), first_column,
                  out.rows_range(first, count), context_);
  });
}

/// Reports the first row with a value that is not finite, whichever rank has that column.
void SharedSource::check(MatrixView values, std::span<const std::uint32_t> training_rows) const {
  std::size_t sound = 0;
  while (sound < values.rows && common::all_finite(values.row_span(sound))) ++sound;
  const std::vector<std::size_t> of_ranks =
      context_.collectives().gather(std::vector<std::size_t>{sound});
  if (const std::size_t first = std::ranges::min(of_ranks); first < values.rows)
    throw_not_finite(training_rows[first]);
}

void SharedSource::compute(std::span<const std::uint32_t> rows, std::size_t first_column,
                           MutableMatrixView out) const {
  std::vector<std::uint32_t> originals;
  originals.reserve(rows.size());
  for (const std::uint32_t row : rows) originals.push_back(rows_.order[row]);
  FloatMatrix samples = this->samples(originals);
  rows_.subtract_centre(samples);
  // Checked here on all ranks alike: a rank without any of the columns would not notice below.
  context_.check_stop();
  compute_own(samples.view(), first_column, out);
  check(out, originals);
}

}  // namespace semblance::kernel
