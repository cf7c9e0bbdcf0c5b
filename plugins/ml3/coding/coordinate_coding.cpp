// SPDX-License-Identifier: MIT
#include "coding/coordinate_coding.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>

#include "semblance/samples.hpp"
#include "semblance_numerics/distances.hpp"
#include "semblance_numerics/far_column.hpp"
#include "semblance_numerics/product.hpp"

namespace semblance::ml3 {
namespace {

constexpr double tolerance = 1e-5;        // of the lasso, relative
constexpr std::size_t most_sweeps = 200;  // between two checks of all anchors
constexpr std::size_t most_rounds = 1000;
constexpr std::size_t added_a_round = 8;
constexpr double most_far = 1 / tolerance;  // squared lengths relative to the anchors' differences

double squared_length(std::span<const float> x) {
  double sum = 0;
  for (const float v : x) sum += double{v} * double{v};
  return sum;
}

/// argmin over c of 1/2 g c^2 - r c + w |c|.
double shrunk(double r, double w, double g) {
  if (std::abs(r) <= w || g <= 0) return 0;
  return (r > 0 ? r - w : r + w) / g;
}

/// One row's lasso.
class Lasso {
 public:
  Lasso(const FloatMatrix& gram, std::span<const float> products,
        const std::vector<double>& penalties)
      : gram_(gram),
        products_(products),
        penalties_(penalties),
        residual_(products.begin(), products.end()),
        coordinates_(products.size()) {
    double most = 0;
    for (const float p : products) most = std::max(most, std::abs(double{p}));
    tolerance_ = tolerance * most;
  }

  void solve() {
    for (std::size_t round = 0; round < most_rounds && add_violators(); ++round) {
      for (std::size_t sweep = 0; sweep < most_sweeps && improve(); ++sweep) {
      }
      std::erase_if(active_, [&](std::size_t v) { return coordinates_[v] == 0; });
      look_at_all();
    }
  }

  const std::vector<double>& coordinates() const { return coordinates_; }

 private:
  double gram(std::size_t a, std::size_t b) const {
    return double{gram_.values[a * gram_.cols + b]};
  }

  /// Activates the anchors that must become nonzero, the worst first. Returns whether there are
  /// any, or whether an active anchor is not optimal.
  bool add_violators() {
    std::vector<std::pair<double, std::size_t>> found;
    bool optimal = true;
    for (std::size_t v = 0; v < coordinates_.size(); ++v) {
      const double c = coordinates_[v];
      if (c != 0) {
        optimal &= std::abs(residual_[v] - std::copysign(penalties_[v], c)) <= 2 * tolerance_;
        continue;
      }
      const double excess = std::abs(residual_[v]) - penalties_[v];
      if (excess > tolerance_) found.emplace_back(-excess, v);
    }
    const std::size_t count = std::min(found.size(), added_a_round);
    std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count),
                      found.end());
    for (std::size_t i = 0; i < count; ++i) active_.push_back(found[i].second);
    return count > 0 || !optimal;
  }

  /// A sweep over the active anchors, which updates their residuals. Returns whether a coordinate
  /// changed.
  bool improve() {
    bool moved = false;
    for (const std::size_t v : active_) {
      const double g = gram(v, v);
      const double wanted = shrunk(residual_[v] + g * coordinates_[v], penalties_[v], g);
      const double change = wanted - coordinates_[v];
      if (change == 0) continue;
      coordinates_[v] = wanted;
      for (const std::size_t u : active_) residual_[u] -= change * gram(v, u);
      moved |= std::abs(change) * g > tolerance_;
    }
    return moved;
  }

  /// The residuals v . (x - sum gamma_u u) of all anchors.
  void look_at_all() {
    std::copy(products_.begin(), products_.end(), residual_.begin());
    for (const std::size_t v : active_) {
      const float* row = gram_.values.data() + v * gram_.cols;
      const double c = coordinates_[v];
      for (std::size_t u = 0; u < residual_.size(); ++u) residual_[u] -= c * double{row[u]};
    }
  }

  const FloatMatrix& gram_;
  std::span<const float> products_;
  const std::vector<double>& penalties_;
  std::vector<double> residual_;
  std::vector<double> coordinates_;
  std::vector<std::size_t> active_;
  double tolerance_ = 0;
};

}  // namespace

CoordinateCoding::CoordinateCoding(FloatMatrix anchors, const CodingOptions& options)
    : anchors_(std::move(anchors)), options_(options) {
  const MatrixView all = std::as_const(anchors_).view();
  packed_ = numerics::PackedRows(all);
  for (std::size_t v = 0; v < anchors_.rows; ++v)
    squares_.push_back(squared_length(all.row_span(v)));
  norms_.assign(squares_.begin(), squares_.end());
  if (options_.neighbours > 0) return;
  // If the tolerance, a share of the products, exceeds the differences of anchors.
  if (numerics::lost_by_products(all) > most_far * double{numerics::product_error(all.cols)})
    throw Error("codes by the lasso cannot tell anchors apart that lie so far from 0, such as in " +
                numerics::far_column(all) + "; center the samples (normalizer/zscore)");
  gram_ = FloatMatrix(anchors_.rows, anchors_.rows);
  numerics::multiply(all, packed_, gram_.view());
}

std::size_t CoordinateCoding::bytes(std::size_t anchors, std::size_t cols, bool lasso) noexcept {
  return sizeof(float) * anchors * (2 * cols + (lasso ? anchors : 0));
}

void CoordinateCoding::encode(MatrixView rows, std::vector<Entry>& codes,
                              std::vector<std::size_t>& ends) const {
  FloatMatrix products(std::min(block_rows, rows.rows), anchors_.rows);
  std::vector<double> distances(anchors_.rows);
  for (std::size_t first = 0; first < rows.rows; first += block_rows) {
    const MatrixView block = rows.rows_range(first, std::min(block_rows, rows.rows - first));
    const MutableMatrixView of_block = products.view().rows_range(0, block.rows);
    numerics::multiply(block, packed_, of_block);
    FloatMatrix near(of_block);
    const auto missing = numerics::nearness_from_products(block, packed_, norms_, near.view());
    for (std::size_t i = 0; i < block.rows; ++i) {
      const auto row = block.row_span(i);
      const auto p = std::as_const(products).view().row_span(i);
      const double length = squared_length(row);
      // Float32 products suffice where they are used; everything else is in double.
      const bool by_products = missing[i] > 0 || length == 0;
      for (std::size_t v = 0; v < distances.size(); ++v)
        distances[v] = by_products ? squares_[v] - 2 * double{p[v]} : double{near.view().row(i)[v]};
      if (options_.neighbours > 0)
        nearest(row, distances, codes);
      else
        lasso(p, distances, by_products ? length : 0, codes);
      ends.push_back(codes.size());
    }
  }
}

void CoordinateCoding::lasso(std::span<const float> products, std::span<const double> distances,
                             double missing, std::vector<Entry>& codes) const {
  std::vector<double> penalties(products.size());
  for (std::size_t v = 0; v < products.size(); ++v)
    penalties[v] = options_.locality * std::max(0.0, distances[v] + missing);
  Lasso problem(gram_, products, penalties);
  problem.solve();
  for (std::size_t v = 0; v < products.size(); ++v)
    if (problem.coordinates()[v] != 0)
      codes.push_back(
          {static_cast<std::uint32_t>(v), static_cast<float>(problem.coordinates()[v])});
}

void CoordinateCoding::nearest(std::span<const float> row, std::span<const double> near,
                               std::vector<Entry>& codes) const {
  std::vector<std::pair<double, std::size_t>> distances(near.size());
  for (std::size_t v = 0; v < near.size(); ++v) distances[v] = {near[v], v};
  const std::size_t count = std::min(options_.neighbours, distances.size());
  std::partial_sort(distances.begin(), distances.begin() + static_cast<std::ptrdiff_t>(count),
                    distances.end());
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(distances[i].second);
  std::sort(chosen.begin(), chosen.end());

  const auto k = static_cast<Eigen::Index>(count);
  Eigen::MatrixXd z(static_cast<Eigen::Index>(row.size()), k);
  for (Eigen::Index i = 0; i < k; ++i) {
    const float* v = anchors_.values.data() + chosen[static_cast<std::size_t>(i)] * row.size();
    for (std::size_t j = 0; j < row.size(); ++j)
      z(static_cast<Eigen::Index>(j), i) = double{v[j]} - double{row[j]};
  }
  Eigen::MatrixXd c = z.transpose() * z;
  const double trace = c.trace();
  // If all neighbours equal the row, any of them is optimal.
  c.diagonal().array() += trace > 0 ? options_.beta * trace : 1;
  Eigen::VectorXd weights = c.llt().solve(Eigen::VectorXd::Ones(k));
  weights /= weights.sum();
  for (Eigen::Index i = 0; i < k; ++i)
    if (weights[i] != 0)
      codes.push_back({static_cast<std::uint32_t>(chosen[static_cast<std::size_t>(i)]),
                       static_cast<float>(weights[i])});
}

}  // namespace semblance::ml3
