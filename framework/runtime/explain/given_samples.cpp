// SPDX-License-Identifier: MIT
#include "runtime/explain/given_samples.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "semblance/random.hpp"
#include "semblance/samples.hpp"

namespace semblance {

FloatMatrix samples_at(const Dataset& data, std::span<const std::size_t> positions) {
  std::vector<std::size_t> sizes;
  for (const std::size_t position : positions) sizes.push_back(data.values(position));
  FloatMatrix rows = room_for(data.outline().layout, sizes);
  for (std::size_t i = 0; i < positions.size(); ++i)
    data.read(positions[i], rows.view().rows_range(i, 1));
  return rows;
}

FloatMatrix samples_at(const Layout& layout, MatrixView rows,
                       std::span<const std::size_t> positions) {
  std::vector<std::size_t> sizes;
  for (const std::size_t position : positions) sizes.push_back(rows.size(position));
  FloatMatrix made = room_for(layout, sizes);
  for (std::size_t i = 0; i < positions.size(); ++i)
    copy_rows(rows.rows_range(positions[i], 1), made.view().rows_range(i, 1));
  return made;
}

std::vector<std::size_t> samples_called(const Dataset& data, const std::string& sample) {
  std::int64_t number = -1;
  const char* const end = sample.data() + sample.size();
  const auto read = std::from_chars(sample.data(), end, number);
  const bool numbered = read.ec == std::errc() && read.ptr == end;
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < data.outline().rows(); ++i)
    if (numbered && data.number(i) == number)
      found.insert(found.begin(), i);
    else if (data.name(i) == sample)
      found.push_back(i);
  return found;
}

std::vector<std::size_t> background_samples(const Outline& outline, std::size_t count,
                                            std::uint64_t seed) {
  if (outline.rows() < 2) return {};
  return background_samples(outline.train_rows > 0 ? outline.train_rows : outline.rows(), count,
                            seed);
}

std::vector<std::size_t> background_samples(std::size_t samples, std::size_t count,
                                            std::uint64_t seed) {
  std::vector<std::size_t> all(samples);
  std::iota(all.begin(), all.end(), std::size_t{0});
  Random random(seed);
  const std::size_t wanted = std::min(count, all.size());
  for (std::size_t i = 0; i < wanted; ++i) std::swap(all[i], all[i + random.below(all.size() - i)]);
  all.resize(wanted);
  std::ranges::sort(all);
  return all;
}

}  // namespace semblance
