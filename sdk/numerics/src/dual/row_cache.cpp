// SPDX-License-Identifier: MIT
#include "semblance_numerics/row_cache.hpp"

#include <algorithm>

namespace semblance::numerics {
namespace {

// Enough for the speed of a matrix product.
constexpr std::size_t rows_computed_together = 64;

}  // namespace

RowCache::RowCache(const KernelSource& source, Range rows, Range columns, std::size_t bytes)
    : source_(source),
      rows_(rows),
      columns_(columns),
      most_bytes_(bytes),
      rows_a_block_(long_rows(source, columns.count) ? 1 : rows_computed_together),
      places_(rows.count) {}

std::size_t RowCache::computed() const {
  const std::lock_guard lock(mutex_);
  return computed_;
}

void RowCache::fetch(std::span<const std::uint32_t> rows, std::span<Row> out, Context& context) {
  std::vector<std::uint32_t> missing;
  std::vector<std::size_t> where;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (const float* row = source_.resident(rows[i]))
      out[i] = Row(Row(), row + columns_.first);
    else
      where.push_back(i);
  if (where.empty()) return;
  std::vector<std::shared_ptr<float>> spare;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(where, [&](std::size_t i) { return find(rows[i], out[i]); });
    spare = evict(bytes(where.size()));
  }
  missing.reserve(where.size());
  for (const std::size_t i : where) missing.push_back(rows[i]);
  std::vector<Block> blocks = compute(missing, std::move(spare), context);
  for (std::size_t m = 0; m < where.size(); ++m) {
    const Block& block = blocks[m / rows_a_block_];
    out[where[m]] = Row(block.values, block.values.get() + m % rows_a_block_ * columns_.count);
  }
  const std::lock_guard lock(mutex_);
  for (Block& block : blocks) keep(std::move(block));
  evict(0);
}

bool RowCache::find(std::uint32_t row, Row& out) {
  const Place& place = places_[row - rows_.first];
  if (!place.present) return false;
  out = Row(place.block->values, place.block->values.get() + place.row * columns_.count);
  blocks_.splice(blocks_.begin(), blocks_, place.block);
  return true;
}

/// Computes rows in blocks; whole blocks take the memory in `spare` while it lasts.
std::vector<RowCache::Block> RowCache::compute(std::span<const std::uint32_t> rows,
                                               std::vector<std::shared_ptr<float>> spare,
                                               Context& context) const {
  std::vector<Block> blocks((rows.size() + rows_a_block_ - 1) / rows_a_block_);
  const auto work = [&](std::size_t b) {
    const auto part =
        rows.subspan(b * rows_a_block_, std::min(rows_a_block_, rows.size() - b * rows_a_block_));
    blocks[b].rows.assign(part.begin(), part.end());
    if (part.size() == rows_a_block_ && b < spare.size())
      blocks[b].values = std::move(spare[b]);
    else
      blocks[b].values = std::shared_ptr<float>(new float[part.size() * columns_.count],
                                                std::default_delete<float[]>());
    if (rows_a_block_ > 1)
      source_.compute(part, columns_.first,
                      {blocks[b].values.get(), part.size(), columns_.count, columns_.count});
  };
  if (rows_a_block_ > 1 && blocks.size() > 1 && columns_.count > 1000)
    context.parallel_for(blocks.size(), work);
  else
    for (std::size_t b = 0; b < blocks.size(); ++b) work(b);
  if (rows_a_block_ == 1) compute_long(blocks, rows, context);
  return blocks;
}

void RowCache::compute_long(std::vector<Block>& blocks, std::span<const std::uint32_t> rows,
                            Context& context) const {
  const std::size_t ranges = (columns_.count + long_columns - 1) / long_columns;
  context.parallel_for(ranges, [&](std::size_t range) {
    const std::size_t begin = range * long_columns;
    const Range columns{columns_.first + begin, std::min(long_columns, columns_.count - begin)};
    for (std::size_t first = 0; first < rows.size(); first += rows_computed_together) {
      const auto part = rows.subspan(first, std::min(rows_computed_together, rows.size() - first));
      source_.compute_in_parts(part, columns, [&](std::size_t column, MutableMatrixView values) {
        for (std::size_t r = 0; r < values.rows; ++r)
          std::copy_n(values.row(r), values.cols,
                      blocks[first + r].values.get() + (column - columns_.first));
      });
    }
  });
}

RowCache::Row RowCache::cached(std::uint32_t row) {
  const std::lock_guard lock(mutex_);
  Row found;
  find(row, found);
  return found;
}

std::vector<std::shared_ptr<float>> RowCache::room(std::size_t count) {
  count = std::min(count, most_bytes_ / std::max<std::size_t>(bytes(1), 1));
  if (count == 0) return {};
  std::vector<std::shared_ptr<float>> found;
  {
    const std::lock_guard lock(mutex_);
    found = evict(bytes(count));
  }
  found.resize(std::min(found.size(), count));
  while (found.size() < count)
    found.emplace_back(new float[columns_.count], std::default_delete<float[]>());
  return found;
}

void RowCache::store(std::span<const std::uint32_t> rows,
                     std::span<const std::shared_ptr<float>> values) {
  const std::lock_guard lock(mutex_);
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (!places_[rows[r] - rows_.first].present) keep({values[r], {rows[r]}});
  evict(0);
}

void RowCache::keep(Block block) {
  computed_ += block.rows.size() * columns_.count;
  kept_bytes_ += bytes(block.rows.size());
  blocks_.push_front(std::move(block));
  const auto kept = blocks_.begin();
  for (std::uint32_t r = 0; r < kept->rows.size(); ++r)
    places_[kept->rows[r] - rows_.first] = {kept, r, true};
}

/// Makes room for that many bytes. Returns the memory of whole blocks that no caller uses: pages
/// that the system has to provide anew cost as much time as the values of short samples.
std::vector<std::shared_ptr<float>> RowCache::evict(std::size_t incoming) {
  std::vector<std::shared_ptr<float>> spare;
  while (kept_bytes_ + incoming > most_bytes_ && !blocks_.empty()) {
    const auto last = std::prev(blocks_.end());
    for (const std::uint32_t row : last->rows)
      if (Place& place = places_[row - rows_.first]; place.present && place.block == last)
        place.present = false;
    kept_bytes_ -= bytes(last->rows.size());
    if (last->rows.size() == rows_a_block_ && last->values.use_count() == 1)
      spare.push_back(std::move(last->values));
    blocks_.erase(last);
  }
  return spare;
}

}  // namespace semblance::numerics
