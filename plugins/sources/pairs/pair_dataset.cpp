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

StoredSides::Samples StoredSides::all_samples(const Dataset& data) {
  Samples samples;
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
  samples.columns.assign(samples.values.columns.begin(), samples.values.columns.end());
  return samples;
}

StoredSides::StoredSides(const Dataset& first, const Dataset& second)
    : layout_(Layout::pair(first.outline().layout, second.outline().layout)),
      sides_{all_samples(first), all_samples(second)} {}

PairPart StoredSides::part(Side side, const SamplePair& pair) const {
  const Samples& samples = sides_[index_of(side)];
  const std::uint32_t k = pair[index_of(side)];
  const MatrixView all = samples.values.view();
  PairPart part{samples.numbers[k], all.row_span(k), {}};
  if (all.sparse())
    part.columns = std::span(samples.columns).subspan(all.offsets[k], part.values.size());
  return part;
}

std::size_t StoredSides::values(const SamplePair& pair) const {
  return pair_size(layout_, part(Side::first, pair).values.size(),
                   part(Side::second, pair).values.size());
}

void StoredSides::write(const SamplePair& pair, std::span<float> row) const {
  write_pair(part(Side::first, pair), part(Side::second, pair), layout_, row);
}

std::string StoredSides::name(const SamplePair& pair) const {
  const std::string &first = sides_[0].names[pair[0]], &second = sides_[1].names[pair[1]];
  return first.empty() || second.empty() ? std::string() : first + " + " + second;
}

std::size_t StoredSides::bytes() const noexcept {
  std::size_t sum = 0;
  for (const Samples& samples : sides_)
    sum += (samples.values.values.size() + samples.columns.size()) * sizeof(float) +
           samples.columns.size() * sizeof(std::uint32_t);
  return sum;
}

PairDataset::PairDataset(Outline outline, StoredSides sides, std::vector<SamplePair> pairs,
                         std::vector<std::int32_t> labels, std::vector<std::size_t> order,
                         RowOrigins origins)
    : outline_(std::move(outline)),
      sides_(std::move(sides)),
      pairs_(std::move(pairs)),
      labels_(std::move(labels)),
      origins_(std::move(origins)) {
  if (!order.empty()) {
    reorder(pairs_, order);
    reorder(labels_, order);
    reorder(origins_.numbers, order);
    origins_.put_in(order);
  }
  for (std::size_t row = 0; row < pairs_.size(); ++row) outline_.values += values(row);
}

void PairDataset::read(std::size_t first, MutableMatrixView out) const {
  for (std::size_t i = 0; i < out.rows; ++i) sides_.write(pairs_[first + i], out.row_span(i));
}

std::size_t PairDataset::bytes() const noexcept {
  return pairs_.size() * sizeof(SamplePair) + labels_.size() * sizeof(std::int32_t) +
         origins_.bytes() + sides_.bytes();
}

}  // namespace semblance::sources
