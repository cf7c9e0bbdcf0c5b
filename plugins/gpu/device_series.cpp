// SPDX-License-Identifier: MIT
#include "device_series.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>

#include "addresses.hpp"
#include "elastic_pairs.hpp"
#include "semblance/error.hpp"
#include "semblance/samples.hpp"
#include "semblance_numerics/lanes_band.hpp"

namespace semblance::gpu {
namespace {

// What a GPU with 132 multiprocessors computes at a time, with registers for 5 blocks on each.
constexpr std::size_t most_blocks = 660;
// A launch takes some tenths of a second, but has pairs for all of the GPU.
constexpr double most_cells = 2e11;
constexpr std::size_t least_pairs = std::size_t{1} << 16, most_pairs = std::size_t{1} << 22;
constexpr std::size_t most_sample_bytes = std::size_t{256} << 20;

enum SeriesPlace : std::size_t {
  of_samples,
  of_sample_steps,
  of_places,
  of_borders,
  of_series_results
};

template <class Value>
const Value* pointer_to(const std::shared_ptr<DeviceMemory>& memory) {
  return memory ? at<const Value>(memory->address()) : nullptr;
}

/// Whole numbers are copied as the bits of floats.
MatrixView one_row(std::span<const float> values) {
  return {values.data(), 1, values.size(), values.size()};
}
std::vector<float> bits_of(std::span<const std::uint32_t> numbers) {
  std::vector<float> values(numbers.size());
  std::ranges::transform(numbers, values.begin(),
                         [](std::uint32_t number) { return std::bit_cast<float>(number); });
  return values;
}

std::shared_ptr<DeviceMemory> copied(Device& device, DeviceQueue& queue,
                                     std::span<const float> values) {
  auto memory = device.allocate(values.size_bytes());
  queue.write(memory->address(), values.size(), one_row(values));
  return memory;
}

/// Values of the longest basis, with those that strips read after its last step.
std::size_t padded(std::size_t longest) { return longest + elastic_strip; }

/// Bases in the 32 lanes of a group, plane by plane; zeros after the last step.
FloatMatrix group_of(const PreparedSeries& bases, std::span<const std::uint32_t> members,
                     std::size_t planes, std::size_t longest) {
  FloatMatrix group(planes * padded(longest), elastic_lanes);
  std::vector<float> steps(longest * planes);
  for (std::size_t lane = 0; lane < members.size(); ++lane) {
    bases.copy(members[lane], steps.data());
    for (std::size_t j = 0; j < bases.steps(members[lane]); ++j)
      for (std::size_t p = 0; p < planes; ++p)
        group.view().row(p * padded(longest) + j)[lane] = steps[j * planes + p];
  }
  return group;
}

}  // namespace

/// Samples that are compared with some bases in one launch.
struct DeviceSeries::Block {
  std::size_t first_sample, samples;
  std::size_t first, count;               ///< the bases
  std::span<const std::uint32_t> places;  ///< where they are
  std::size_t blocks;                     ///< of threads, at most
};

DeviceSeries::DeviceSeries(Device& device, const ElasticMeasure& measure,
                           const PreparedSeries& bases, std::size_t longest, Context& context)
    : device_(device), measure_(measure), longest_(longest), by_steps_(bases.count) {
  std::iota(by_steps_.begin(), by_steps_.end(), std::uint32_t{0});
  std::ranges::stable_sort(by_steps_, std::greater<>(), bases.steps);
  upload(bases, context);
}

void DeviceSeries::upload(const PreparedSeries& bases, Context& context) {
  const std::size_t groups = (bases.count + elastic_lanes - 1) / elastic_lanes;
  const std::size_t bytes = measure_.planes * padded(longest_) * elastic_lanes * sizeof(float);
  bases_ = device_.allocate(groups * bytes);
  std::vector<std::uint32_t> steps;
  for (const std::uint32_t base : by_steps_)
    steps.push_back(static_cast<std::uint32_t>(bases.steps(base)));
  std::vector<float> radii;
  for (std::size_t n = 0; n <= longest_; ++n)
    radii.push_back(static_cast<float>(numerics::band_radius(measure_.window, n, n)));
  std::vector<float> weights(measure_.weights.begin(), measure_.weights.end());
  measure_.weights = {};                           // they are the caller's
  weights.resize(weights.size() + elastic_strip);  // of columns after the last
  device_.with_queue([&](DeviceQueue& queue) {
    for (std::size_t g = 0; g < groups; ++g) {
      context.check_stop();
      const std::size_t first = g * elastic_lanes;
      const std::size_t count = std::min<std::size_t>(elastic_lanes, bases.count - first);
      const FloatMatrix group =
          group_of(bases, std::span(by_steps_).subspan(first, count), measure_.planes, longest_);
      queue.write(bases_->address() + g * bytes, elastic_lanes, group.view());
    }
    base_steps_ = copied(device_, queue, bits_of(steps));
    base_at_ = copied(device_, queue, bits_of(by_steps_));
    weights_ = copied(device_, queue, weights);
    if (measure_.window < 100) radii_ = copied(device_, queue, radii);
    queue.wait();
  });
}

void DeviceSeries::compare_some(const PreparedSeries& samples, const Block& block, double* sums,
                                DeviceQueue& queue) const {
  std::vector<std::uint32_t> steps(block.samples);
  for (std::size_t i = 0; i < block.samples; ++i)
    steps[i] = static_cast<std::uint32_t>(samples.steps(block.first_sample + i));
  const std::size_t longest = *std::ranges::max_element(steps);
  const std::size_t stride = longest * measure_.planes;
  const std::size_t tiles = ((block.samples + elastic_rows - 1) / elastic_rows) *
                            ((block.count + elastic_lanes - 1) / elastic_lanes);
  const std::size_t blocks = std::min(block.blocks, tiles);
  const auto place = [&](SeriesPlace which, std::size_t values) {
    return queue.memory(which, values * sizeof(float));
  };
  ElasticPairs argument;
  const DeviceAddress rows = place(of_samples, block.samples * stride),
                      row_steps = place(of_sample_steps, block.samples),
                      places = place(of_places, block.count),
                      results = place(of_series_results, block.samples * block.count);
  argument.border = at<float>(place(of_borders, blocks * longest * elastic_threads));
  FloatMatrix values(block.samples, stride);
  for (std::size_t i = 0; i < block.samples; ++i)
    samples.copy(block.first_sample + i, values.view().row(i));
  queue.write(rows, stride, values.view());
  queue.write(row_steps, steps.size(), one_row(bits_of(steps)));
  queue.write(places, block.count, one_row(bits_of(block.places)));
  argument.bases = pointer_to<float>(bases_);
  argument.base_steps = pointer_to<unsigned>(base_steps_);
  argument.base_at = pointer_to<unsigned>(base_at_);
  argument.places = at<const unsigned>(places);
  argument.samples = at<const float>(rows);
  argument.sample_steps = at<const unsigned>(row_steps);
  argument.radii = pointer_to<float>(radii_);
  argument.weights = pointer_to<float>(weights_);
  argument.out = at<float>(results);
  argument.samples_stride = stride;
  argument.out_stride = block.count;
  argument.planes = static_cast<unsigned>(measure_.planes);
  argument.channels = static_cast<unsigned>(measure_.channels);
  argument.base_steps_most = static_cast<unsigned>(padded(longest_));
  argument.count = static_cast<unsigned>(block.count);
  argument.first = static_cast<unsigned>(block.first);
  argument.samples_count = static_cast<unsigned>(block.samples);
  argument.border_steps = static_cast<unsigned>(longest);
  argument.blocks = static_cast<unsigned>(blocks);
  argument.setting = static_cast<float>(measure_.setting);
  argument.longest = static_cast<int>(longest_);
  const std::string kernel =
      std::string(measure_.kernel) + (measure_.channels > 1 ? "_of_vectors" : "");
  queue.start(*measure_.program, kernel.c_str(),
              {static_cast<std::uint32_t>(blocks), 1, elastic_threads}, argument);
  values = FloatMatrix(block.samples, block.count);
  queue.read(results, block.count, values.view());
  for (std::size_t k = 0; k < values.values.size(); ++k) sums[k] += double{values.values[k]};
}

void DeviceSeries::compare(const PreparedSeries& samples, std::size_t first, std::size_t count,
                           double* sums, Context& context) const {
  if (samples.count == 0 || count == 0) return;
  std::vector<std::uint32_t> places;
  for (std::uint32_t k = 0; k < by_steps_.size(); ++k)
    if (by_steps_[k] >= first && by_steps_[k] < first + count) places.push_back(k);
  const double cells = static_cast<double>(longest_) * static_cast<double>(longest_);
  const auto wanted = static_cast<std::size_t>(std::min(most_cells / cells, 1e9));
  const std::size_t pairs = std::clamp(wanted, least_pairs, most_pairs);
  std::size_t rows = std::clamp(
      pairs / count, std::size_t{1},
      std::max<std::size_t>(most_sample_bytes / (longest_ * measure_.planes * sizeof(float)), 1));
  std::size_t blocks = most_blocks;
  device_.with_queue([&](DeviceQueue& queue) {
    for (std::size_t row = 0; row < samples.count;) {
      context.check_stop();
      const std::size_t some = std::min(rows, samples.count - row);
      try {
        compare_some(samples, {row, some, first, count, places, blocks}, sums + row * count, queue);
      } catch (const MemoryError&) {
        // Others may have taken the memory. Borders take the most.
        if (some == 1 && blocks == 1) throw;
        rows = std::max<std::size_t>(some / 2, 1);
        blocks = std::max<std::size_t>(blocks / 2, 1);
        continue;
      }
      row += some;
    }
  });
}

}  // namespace semblance::gpu
