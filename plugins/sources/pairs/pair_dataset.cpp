// SPDX-License-Identifier: MIT
#include "pairs/pair_dataset.hpp"

namespace semblance::sources {
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

}  // namespace semblance::sources
