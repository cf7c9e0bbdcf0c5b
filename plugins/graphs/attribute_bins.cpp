// SPDX-License-Identifier: MIT
#include "attribute_bins.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "colours.hpp"
#include "graph_rows.hpp"

namespace semblance::graphs {
namespace {

/// Means and sums of squared deviations of some nodes' attributes.
struct Moments {
  double count = 0;
  std::vector<double> means, squares;

  explicit Moments(std::size_t attributes) : means(attributes), squares(attributes) {}

  /// Chan, Golub & LeVeque 1979.
  void add(const Moments& other) {
    const double sum = count + other.count;
    if (sum == 0) return;
    for (std::size_t k = 0; k < means.size(); ++k) {
      const double difference = other.means[k] - means[k];
      means[k] += difference * other.count / sum;
      squares[k] += other.squares[k] + difference * difference * count * other.count / sum;
    }
    count = sum;
  }
};

void check_finite(std::span<const float> attributes) {
  for (const float value : attributes)
    if (!std::isfinite(value))
      throw Error("a node has an attribute that is not a finite number; correct or remove it");
}

Moments moments_of(const GraphView& graph, std::size_t attributes) {
  Moments moments(attributes);
  for (std::size_t v = 0; v < graph.nodes(); ++v) {
    check_finite(graph.node_attributes(v));
    for (std::size_t k = 0; k < attributes; ++k) moments.means[k] += graph.node_attributes(v)[k];
  }
  moments.count = static_cast<double>(graph.nodes());
  for (double& mean : moments.means) mean /= moments.count;
  for (std::size_t v = 0; v < graph.nodes(); ++v)
    for (std::size_t k = 0; k < attributes; ++k) {
      const double difference = graph.node_attributes(v)[k] - moments.means[k];
      moments.squares[k] += difference * difference;
    }
  return moments;
}

}  // namespace

void AttributeBins::learn(const Rows& rows, const GraphShape& shape, std::size_t divisions,
                          Random random, Context& context) {
  const std::size_t attributes = shape.node_attributes;
  std::vector<Moments> blocks(block_count(rows.rows()), Moments(attributes));
  context.parallel_for(blocks.size(), [&](std::size_t block) {
    context.check_stop();
    const std::size_t first = block * block_rows, count = std::min(block_rows, rows.rows() - first);
    for_each_graph(rows.view(first, count), shape, RowError::Of::training, first,
                   [&](std::size_t, const GraphView& graph) {
                     blocks[block].add(moments_of(graph, attributes));
                   });
    rows.release(first, count);
  });
  Moments all(attributes);
  for (const Moments& block : blocks) all.add(block);
  means_ = all.means;
  scales_.assign(attributes, 0);
  for (std::size_t k = 0; k < attributes; ++k) {
    const double deviation = std::sqrt(all.squares[k] / all.count);
    // A constant attribute's deviation is rounding: it must not be blown up to one.
    if (deviation > 1e-13 * std::abs(means_[k])) scales_[k] = 1 / deviation;
  }
  directions_.clear();
  shifts_.clear();
  for (std::size_t division = 0; division < divisions; ++division) {
    std::vector<double> direction(attributes);
    double square = 0;
    for (double& part : direction) {
      part = random.normal();
      square += part * part;
    }
    for (const double part : direction) directions_.push_back(part / std::sqrt(square));
    shifts_.push_back(random.uniform());
  }
}

std::vector<std::uint64_t> AttributeBins::bins(const GraphView& graph, std::size_t division,
                                               double width) const {
  const double* const direction = directions_.data() + division * means_.size();
  std::vector<std::uint64_t> bins(graph.nodes());
  for (std::size_t v = 0; v < bins.size(); ++v) {
    const auto attributes = graph.node_attributes(v);
    check_finite(attributes);
    double place = 0;
    for (std::size_t k = 0; k < means_.size(); ++k)
      place += direction[k] * ((attributes[k] - means_[k]) * scales_[k]);
    // As the bits of a double, so that a far outlier has a bin; + 0.0 because -0 is 0.
    const double bin = std::floor(place / width + shifts_[division]) + 0.0;
    bins[v] = mixed(std::bit_cast<std::uint64_t>(bin) ^ mixed(division));
  }
  return bins;
}

void AttributeBins::save(StateWriter& state) const {
  state.doubles("attribute_means", means_);
  state.doubles("attribute_scales", scales_);
  state.doubles("directions", directions_);
  state.doubles("shifts", shifts_);
}

void AttributeBins::load(const StateReader& state, std::size_t attributes, std::size_t divisions) {
  const auto read = [&](const char* name, std::size_t size) {
    std::vector<double> values = state.doubles(name);
    if (values.size() != size)
      throw Error("its " + std::string(name) + " are " + std::to_string(values.size()) +
                  " numbers, but " + std::to_string(size) + " are needed");
    if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); }))
      throw Error("its " + std::string(name) + " are not all finite numbers");
    return values;
  };
  means_ = read("attribute_means", attributes);
  scales_ = read("attribute_scales", attributes);
  directions_ = read("directions", attributes * divisions);
  shifts_ = read("shifts", divisions);
}

}  // namespace semblance::graphs
