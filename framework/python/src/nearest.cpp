// SPDX-License-Identifier: MIT
#include <pybind11/numpy.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "call_context.hpp"
#include "interruptible.hpp"
#include "runtime/services/run_options.hpp"
#include "semblance_numerics/blas.hpp"

namespace semblance::python {
namespace {

namespace py = pybind11;
namespace blas = numerics::blas;
using Table = py::array_t<float, py::array::c_style>;

/// Queries and bases of a block, whose products stay in the cache.
constexpr std::size_t queries_at_once = 64, bases_at_once = 512;

/// Rows about a common centre: products of rows far from 0 would lose what their distances are.
struct CentredRows {
  std::vector<float> values;
  std::vector<double> squares;
  std::vector<float> norms;
};

CentredRows about(const std::vector<double>& centre, const float* rows, std::size_t count) {
  const std::size_t width = centre.size();
  CentredRows made{std::vector<float>(count * width), std::vector<double>(count),
                   std::vector<float>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      const auto value = static_cast<float>(double{rows[i * width + j]} - centre[j]);
      made.values[i * width + j] = value;
      made.squares[i] += double{value} * value;
    }
    made.norms[i] = static_cast<float>(made.squares[i]);
  }
  return made;
}

/// The nearest bases of samples by the Euclidean distance. A product in float32 leaves the few
/// bases that may be among the nearest, within a bound on its rounding; their distances are then
/// computed from the differences, in double.
class Nearest {
 public:
  Nearest(const Table& bases, const Table& samples, std::size_t count)
      : bases_(bases.data()),
        samples_(samples.data()),
        base_count_(static_cast<std::size_t>(bases.shape(0))),
        sample_count_(static_cast<std::size_t>(samples.shape(0))),
        width_(static_cast<std::size_t>(bases.shape(1))),
        count_(count),
        centre_(width_) {
    for (std::size_t i = 0; i < base_count_; ++i)
      for (std::size_t j = 0; j < width_; ++j)
        centre_[j] += double{bases_[i * width_ + j]} / static_cast<double>(base_count_);
    centred_ = about(centre_, bases_, base_count_);
    for (const double square : centred_.squares) longest_ = std::max(longest_, std::sqrt(square));
  }

  std::size_t blocks() const noexcept {
    return (sample_count_ + queries_at_once - 1) / queries_at_once;
  }

  void find(std::size_t block, float* distances, std::int64_t* indices) const {
    const std::size_t first = block * queries_at_once,
                      rows = std::min(queries_at_once, sample_count_ - first);
    const CentredRows queries = about(centre_, samples_ + first * width_, rows);
    std::vector<Candidates> found(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      found[i].slack = slack(queries.squares[i]);
      if (!std::isfinite(found[i].slack)) return find_plainly(first, rows, distances, indices);
    }
    std::vector<float> products(rows * bases_at_once);
    for (std::size_t base = 0; base < base_count_; base += bases_at_once) {
      const std::size_t columns = std::min(bases_at_once, base_count_ - base);
      // -2 q b; with |b|^2, what of the squared distance depends on the base.
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, blas::narrow(rows),
                  blas::narrow(columns), blas::narrow(width_), -2, queries.values.data(),
                  blas::narrow(width_), centred_.values.data() + base * width_,
                  blas::narrow(width_), 0, products.data(), blas::narrow(bases_at_once));
      for (std::size_t i = 0; i < rows; ++i)
        look(products.data() + i * bases_at_once, base, columns, found[i]);
    }
    for (std::size_t i = 0; i < rows; ++i)
      settle(first + i, found[i], distances + (first + i) * count_, indices + (first + i) * count_);
  }

 private:
  struct Candidates {
    std::vector<std::pair<float, std::uint32_t>> held;
    float limit = std::numeric_limits<float>::infinity();
    float slack = 0;
  };

  /// Twice what a squared distance of this query may be wrong by: sums of `width_` products,
  /// rounded rows, and a distance that is rounded to float32 in the end. Infinite where products
  /// overflow.
  float slack(double query_square) const {
    const double sum = std::sqrt(query_square) + longest_;
    constexpr double largest = 1e37;
    if (!(sum * sum < largest)) return std::numeric_limits<float>::infinity();
    const double unit = static_cast<double>(std::numeric_limits<float>::epsilon());
    return static_cast<float>(2 * (static_cast<double>(width_) + 16) * unit * sum * sum);
  }

  /// Without products, which overflow.
  void find_plainly(std::size_t first, std::size_t rows, float* distances,
                    std::int64_t* indices) const {
    Candidates all;
    for (std::size_t base = 0; base < base_count_; ++base)
      all.held.emplace_back(0.0F, static_cast<std::uint32_t>(base));
    for (std::size_t i = first; i < first + rows; ++i)
      settle(i, all, distances + i * count_, indices + i * count_);
  }

  void look(float* values, std::size_t base, std::size_t columns, Candidates& found) const {
    const float* norms = centred_.norms.data() + base;
    for (std::size_t j = 0; j < columns; ++j) values[j] += norms[j];
    constexpr std::size_t stride = 16;
    for (std::size_t begin = 0; begin < columns; begin += stride) {
      const std::size_t end = std::min(columns, begin + stride);
      float least = values[begin];
      for (std::size_t j = begin + 1; j < end; ++j) least = std::min(least, values[j]);
      if (!(least <= found.limit)) continue;
      for (std::size_t j = begin; j < end; ++j)
        if (values[j] <= found.limit)
          found.held.emplace_back(values[j], static_cast<std::uint32_t>(base + j));
      if (found.held.size() > 4 * count_ + stride) tighten(found);
    }
  }

  /// Drops candidates that cannot be among the nearest.
  void tighten(Candidates& found) const {
    const auto last = found.held.begin() + static_cast<std::ptrdiff_t>(count_ - 1);
    std::ranges::nth_element(found.held, last);
    found.limit = last->first + found.slack;
    std::erase_if(found.held, [&](const auto& each) { return each.first > found.limit; });
  }

  /// The distances of what is left, nearest first; ties go to the first base.
  void settle(std::size_t sample, Candidates& found, float* distances,
              std::int64_t* indices) const {
    tighten(found);
    std::vector<std::pair<float, std::uint32_t>> exact;
    for (const auto& [value, base] : found.held) {
      double square = 0;
      for (std::size_t j = 0; j < width_; ++j) {
        const double difference = double{samples_[sample * width_ + j]} - bases_[base * width_ + j];
        square += difference * difference;
      }
      exact.emplace_back(static_cast<float>(std::sqrt(square)), base);
    }
    std::ranges::partial_sort(exact, exact.begin() + static_cast<std::ptrdiff_t>(count_));
    for (std::size_t k = 0; k < count_; ++k) {
      distances[k] = exact[k].first;
      indices[k] = exact[k].second;
    }
  }

  const float* bases_;
  const float* samples_;
  std::size_t base_count_, sample_count_, width_, count_;
  std::vector<double> centre_;
  CentredRows centred_;
  double longest_ = 0;
};

py::tuple nearest(const Table& bases, const Table& samples, std::size_t count,
                  std::optional<std::size_t> threads) {
  if (bases.ndim() != 2 || samples.ndim() != 2 || bases.shape(1) != samples.shape(1) || count < 1 ||
      static_cast<std::size_t>(bases.shape(0)) < count ||
      static_cast<std::uint64_t>(bases.shape(0)) > std::numeric_limits<std::uint32_t>::max())
    throw py::value_error("bases and samples must be tables of the same width, with enough bases");
  const auto rows = static_cast<std::size_t>(samples.shape(0));
  py::array_t<float> distances({rows, count});
  py::array_t<std::int64_t> indices({rows, count});
  const double seconds = 2e-10 * static_cast<double>(bases.size()) * static_cast<double>(rows);
  float* to = distances.mutable_data();
  std::int64_t* places = indices.mutable_data();
  run_call(seconds, [&](const std::atomic<bool>& cancel) {
    CallContext context("kneighbors", 0, threads.value_or(available_threads()), &cancel);
    context.run([&] {
      const Nearest search(bases, samples, count);
      (*context).parallel_for(search.blocks(), [&](std::size_t block) {
        (*context).check_stop();
        search.find(block, to, places);
      });
    });
  });
  return py::make_tuple(distances, indices);
}

}  // namespace

void add_nearest(py::module_& module) {
  module.def(
      "nearest", &nearest, py::arg("bases"), py::arg("samples"), py::arg("count"),
      py::arg("threads") = py::none(),
      "The Euclidean distances (n, count) of samples to their nearest bases, nearest first,\n"
      "and the places of these bases; ties go to the first base.");
}

}  // namespace semblance::python
