// SPDX-License-Identifier: MIT
#include "kernel/shared_source.hpp"

#include <algorithm>
#include <cstring>

#include "semblance/collectives.hpp"
#include "semblance/error.hpp"

namespace semblance::solvers {
namespace {

// Fewer rows at a time would read the bases from memory too often.
constexpr std::size_t fewest_rows_a_task = 16;

}  // namespace

SharedSource::SharedSource(Similarity& similarity, const SortedRows& rows, Context& context)
    : similarity_(similarity), rows_(rows), context_(context) {
  const Collectives& ranks = context.collectives();
  const RowParts parts(rows.order.size());
  owners_.reserve(ranks.ranks());
  for (std::size_t r = 0; r < ranks.ranks(); ++r)
    owners_.push_back(parts_of(parts, r, ranks.ranks()));
  std::vector<std::size_t> numbers(owners_.size());
  for (std::size_t place = 0; place < rows.order.size(); ++place) {
    const auto owner = std::ranges::find_if(
        owners_, [&](const OwnParts& o) { return o.has_row(rows.order[place]); });
    const auto rank = static_cast<std::size_t>(owner - owners_.begin());
    if (runs_.empty() || runs_.back().rank != rank)
      runs_.push_back({place, 0, rank, numbers[rank]});
    ++runs_.back().count;
    ++numbers[rank];
  }
  rows.set_own_bases(similarity, owners_[ranks.rank()], context);
}

std::vector<SharedSource::Run> SharedSource::runs_within(numerics::Range columns) const {
  std::vector<Run> found;
  const std::size_t end = columns.first + columns.count;
  auto run = std::ranges::partition_point(
      runs_, [&](const Run& r) { return r.place + r.count <= columns.first; });
  for (; run != runs_.end() && run->place < end; ++run) {
    const std::size_t first = std::max(run->place, columns.first);
    found.push_back({first, std::min(run->place + run->count, end) - first, run->rank,
                     run->number + (first - run->place)});
  }
  return found;
}

/// Some training rows, from whoever has them: in one message where they are of one size.
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

FloatMatrix SharedSource::own_columns(MatrixView samples, numerics::Range own) const {
  FloatMatrix values(samples.rows, own.count);
  const std::size_t tasks =
      std::clamp<std::size_t>(samples.rows / fewest_rows_a_task, 1, context_.threads());
  context_.parallel_for(tasks, [&](std::size_t t) {
    const std::size_t first = samples.rows * t / tasks;
    const std::size_t count = samples.rows * (t + 1) / tasks - first;
    similarity_.apply_range(samples.rows_range(first, count), own.first,
                            values.view().rows_range(first, count), context_);
  });
  return values;
}

void SharedSource::compute(std::span<const std::uint32_t> rows, std::size_t first_column,
                           MutableMatrixView out) const {
  Collectives& ranks = context_.collectives();
  std::vector<std::uint32_t> originals;
  originals.reserve(rows.size());
  for (const std::uint32_t row : rows) originals.push_back(rows_.order[row]);
  const FloatMatrix samples = this->samples(originals);
  // Here, for all ranks alike: a rank that has none of the columns would not notice below.
  context_.check_stop();

  const std::vector<Run> runs = runs_within({first_column, out.cols});
  std::vector<numerics::Range> of_ranks(ranks.ranks());
  for (const Run& run : runs) {
    numerics::Range& range = of_ranks[run.rank];
    if (range.count == 0) range.first = run.number;
    range.count += run.count;
  }
  const numerics::Range& own = of_ranks[ranks.rank()];
  FloatMatrix values;
  if (own.count > 0) values = own_columns(samples.view(), own);
  const std::vector<std::byte> all = ranks.gather(std::as_bytes(std::span(values.values)));

  std::vector<std::size_t> starts;  // of each rank's values, in floats
  std::size_t end = 0;
  for (const numerics::Range& range : of_ranks) {
    starts.push_back(end);
    end += range.count * rows.size();
  }
  if (all.size() != end * sizeof(float)) throw Error("internal error: kernel columns are missing");
  context_.parallel_for(rows.size(), [&](std::size_t i) {
    for (const Run& run : runs) {
      const numerics::Range& range = of_ranks[run.rank];
      const std::size_t at = starts[run.rank] + i * range.count + (run.number - range.first);
      std::memcpy(out.row(i) + (run.place - first_column), all.data() + at * sizeof(float),
                  run.count * sizeof(float));
    }
  });
  check_kernel_values(out, originals);
}

}  // namespace semblance::solvers
