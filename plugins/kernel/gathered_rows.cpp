// SPDX-License-Identifier: MIT
#include "gathered_rows.hpp"

#include <algorithm>

#include "semblance/collectives.hpp"
#include "semblance/error.hpp"

namespace semblance::kernel {
namespace {

// Values sent at once: few enough to stay in the cache until they are in their places.
constexpr std::size_t values_at_once = std::size_t{1} << 18;

}  // namespace

/// Sends the rows of one rank to all ranks, some of them at a time.
class GatheredRows::Exchange {
 public:
  Exchange(GatheredRows& all, const Rows& rows, Context& context)
      : all_(all), rows_(rows), ranks_(context.collectives()) {}

  void send_all() {
    const RowParts parts(rows_.rows());
    for (std::size_t rank = 0; rank < ranks_.ranks(); ++rank) {
      const OwnParts own = parts_of(parts, rank, ranks_.ranks());
      for (std::size_t row = own.first_row; row < own.end_row();) {
        const std::size_t end = end_of(row, own.end_row());
        send(rank, row, end);
        row = end;
      }
    }
  }

 private:
  std::size_t size(std::size_t row) const {
    return all_.start(all_.places_[row] + 1) - all_.start(all_.places_[row]);
  }

  /// At least one row, and as many as fit.
  std::size_t end_of(std::size_t row, std::size_t last) const {
    std::size_t values = size(row);
    for (++row; row < last && values + size(row) <= values_at_once; ++row) values += size(row);
    return row;
  }

  void send(std::size_t rank, std::size_t first, std::size_t end) {
    const bool own = rank == ranks_.rank(), sparse = !all_.columns_.empty();
    std::size_t values = 0;
    for (std::size_t row = first; row < end; ++row) values += size(row);
    values_.resize(values);
    columns_.resize(sparse ? values : 0);
    if (own) {
      copy(first, end, [&](std::size_t row, std::size_t at) {
        const MatrixView view = rows_.view(row, 1);
        std::ranges::copy(view.row_span(0), &values_[at]);
        if (sparse) std::ranges::copy(view.columns_of(0), &columns_[at]);
      });
      rows_.release(first, end - first);
    }
    ranks_.broadcast(rank, std::as_writable_bytes(std::span(values_)));
    if (sparse) ranks_.broadcast(rank, std::as_writable_bytes(std::span(columns_)));
    copy(first, end, [&](std::size_t row, std::size_t at) {
      const std::size_t to = all_.start(all_.places_[row]);
      std::copy_n(&values_[at], size(row), all_.values_.data() + to);
      if (sparse) std::copy_n(&columns_[at], size(row), all_.columns_.data() + to);
    });
  }

  template <class Body>
  void copy(std::size_t first, std::size_t end, const Body& body) const {
    std::size_t at = 0;
    for (std::size_t row = first; row < end; at += size(row), ++row)
      if (size(row) > 0) body(row, at);
  }

  GatheredRows& all_;
  const Rows& rows_;
  Collectives& ranks_;
  std::vector<float> values_;
  std::vector<std::uint32_t> columns_;
};

GatheredRows::GatheredRows(const Rows& rows, const Layout& layout,
                           std::span<const std::uint32_t> order, std::span<const std::size_t> sizes,
                           Context& context)
    : cols_(rows.cols()), places_(order.size()) {
  for (std::size_t place = 0; place < order.size(); ++place) places_[order[place]] = place;
  if (!sizes.empty()) {
    offsets_.push_back(0);
    for (const std::uint32_t row : order) offsets_.push_back(offsets_.back() + sizes[row]);
  }
  values_ = numerics::AlignedBuffer(start(order.size()));
  if (layout.kind == LayoutKind::sparse)
    // Never empty: a non-null pointer marks rows as sparse.
    columns_.resize(std::max<std::size_t>(start(order.size()), 1));
  Exchange(*this, rows, context).send_all();
}

MatrixView GatheredRows::by_place() const noexcept {
  return {values_.data(),
          places_.size(),
          cols_,
          cols_,
          offsets_.empty() ? nullptr : offsets_.data(),
          columns_.empty() ? nullptr : columns_.data()};
}

MatrixView GatheredRows::view(std::size_t first, std::size_t count) const {
  if (count == 0) return by_place().rows_range(0, 0);
  const std::size_t place = places_[first];
  for (std::size_t i = 1; i < count; ++i)
    if (places_[first + i] != place + i)
      throw Error(
          "internal error: rows that are not stored one after the other are wanted at once");
  return by_place().rows_range(place, count);
}

}  // namespace semblance::kernel
