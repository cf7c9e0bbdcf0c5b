// SPDX-License-Identifier: MIT
#include "pairs/pair_dataset.hpp"

namespace semblance::sources {
namespace {

template <class T>
void reorder(std::vector<T>& values, std::span<const std::size_t> order) {
  std::vector<T> ordered;
  ordered.reserve(order.size());
  for (const std::size_t row : order) ordered.push_back(values[row]);
  values = std::move(ordered);
}

}  // namespace

PairDataset::Samples all_samples(const Dataset& data) {
  PairDataset::Samples samples;
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < data.outline().rows(); ++i) {
    sizes.push_back(data.values(i));
    const std::int64_t number = data.number(i);
    if (number < 0 || number > static_cast<std::int64_t>(largest_pair_number))
      throw Error("has a sample with the number " + std::to_string(number) +
                  "; pairs can be of samples numbered up to " +
                  std::to_string(largest_pair_number));
    samples.numbers.push_back(static_cast<std::uint32_t>(number));
    samples.names.push_back(data.name(i));
  }
  samples.values = room_for(data.outline().layout, sizes);
  data.read(0, samples.values.view());
  return samples;
}

PairDataset::PairDataset(Outline outline, std::array<Samples, 2> samples, std::vector<Pair> pairs,
                         std::vector<std::int32_t> labels, std::vector<std::size_t> order,
                         RowOrigins origins)
    : outline_(std::move(outline)),
      samples_(std::move(samples)),
      pairs_(std::move(pairs)),
      labels_(std::move(labels)),
      origins_(std::move(origins)) {
  for (std::size_t side = 0; side < 2; ++side) {
    const auto& columns = samples_[side].values.columns;
    columns_[side].assign(columns.begin(), columns.end());
  }
  if (!order.empty()) {
    reorder(pairs_, order);
    reorder(labels_, order);
    reorder(origins_.numbers, order);
    origins_.put_in(order);
  }
  for (std::size_t row = 0; row < pairs_.size(); ++row) outline_.values += values(row);
}

PairPart PairDataset::part(Side side, std::size_t row) const {
  const auto s = index_of(side);
  const std::uint32_t k = pairs_[row][s];
  const MatrixView all = samples_[s].values.view();
  PairPart part{samples_[s].numbers[k], all.row_span(k), {}};
  if (all.sparse())
    part.columns = std::span(columns_[s]).subspan(all.offsets[k], part.values.size());
  return part;
}

std::size_t PairDataset::values(std::size_t row) const {
  return pair_size(outline_.layout, part(Side::first, row).values.size(),
                   part(Side::second, row).values.size());
}

void PairDataset::read(std::size_t first, MutableMatrixView out) const {
  for (std::size_t i = 0; i < out.rows; ++i)
    write_pair(part(Side::first, first + i), part(Side::second, first + i), outline_.layout,
               out.row_span(i));
}

std::size_t PairDataset::bytes() const noexcept {
  std::size_t sum =
      pairs_.size() * sizeof(Pair) + labels_.size() * sizeof(std::int32_t) + origins_.bytes();
  for (std::size_t s = 0; s < 2; ++s)
    sum += samples_[s].values.values.size() * sizeof(float) +
           columns_[s].size() * (sizeof(float) + sizeof(std::uint32_t));
  return sum;
}

std::string PairDataset::name(std::size_t row) const {
  const auto& [a, b] = pairs_[row];
  const std::string &first = samples_[0].names[a], &second = samples_[1].names[b];
  return first.empty() || second.empty() ? std::string() : first + " + " + second;
}

}  // namespace semblance::sources
