// SPDX-License-Identifier: MIT
#include "machines/grid_ridge.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "newton/products.hpp"
#include "semblance/error.hpp"
#include "semblance/parameters.hpp"
#include "semblance_numerics/symmetric_eigen.hpp"
#include "training/training_pairs.hpp"

namespace semblance::pairs {
namespace {

GridMatrix product(const GridMatrix& a, const GridMatrix& b, CBLAS_TRANSPOSE of_a = CblasNoTrans,
                   CBLAS_TRANSPOSE of_b = CblasNoTrans) {
  const std::size_t inner = of_a == CblasNoTrans ? a.cols : a.rows;
  GridMatrix made(of_a == CblasNoTrans ? a.rows : a.cols, of_b == CblasNoTrans ? b.cols : b.rows);
  multiply(of_a, of_b, {made.rows, made.cols, inner}, a.values.data(), a.cols, b.values.data(),
           b.cols, made.values.data(), made.cols);
  return made;
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// a * b by value.
GridMatrix by_value(GridMatrix a, const GridMatrix& b) {
  for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] *= b.values[i];
  return a;
}

/// The system of a grid with a penalty, M = K x G + penalty I and the condition that coefficients
/// sum to 0. In the eigenvectors' coordinates, U' A V of a grid A, M is diagonal.
class GridSystem {
 public:
  GridSystem(const GridAxis& rows, const GridAxis& columns, double penalty, bool intercept)
      : rows(rows), columns(columns), inverse_(rows.order(), columns.order()) {
    for (std::size_t k = 0; k < rows.order(); ++k)
      for (std::size_t j = 0; j < columns.order(); ++j) {
        const double eigenvalue = rows.eigenvalues[k] * columns.eigenvalues[j] + penalty;
        if (!(eigenvalue > 0))
          throw Error("the kernel of pairs with the penalty " + to_text(Value(penalty)) +
                      " is not positive definite within rounding; raise the penalty");
        inverse_.row(k)[j] = 1 / eigenvalue;
      }
    ones_ = GridMatrix(rows.order(), columns.order());
    if (intercept) {
      const auto sums_of = [](const GridMatrix& vectors) {
        std::vector<double> sums;
        for (std::size_t k = 0; k < vectors.rows; ++k)
          sums.push_back(std::accumulate(vectors.row(k), vectors.row(k) + vectors.cols, 0.0));
        return sums;
      };
      const std::vector<double> u = sums_of(rows.vectors), v = sums_of(columns.vectors);
      total_ = 0;
      for (std::size_t k = 0; k < u.size(); ++k)
        for (std::size_t j = 0; j < v.size(); ++j) {
          ones_.row(k)[j] = u[k] * v[j] * inverse_.row(k)[j];
          total_ += u[k] * v[j] * ones_.row(k)[j];
        }
    }
    shares_ = product(inverse_, columns.squares);
    sums_ = product(ones_, columns.vectors);
  }

  /// The coefficients for numbers Y, both in the eigenvectors' coordinates.
  GridMatrix solve(GridMatrix turned, double& constant) const {
    constant = sum(by_value(turned, ones_).values) / total_;
    turned = by_value(std::move(turned), inverse_);
    for (std::size_t i = 0; i < turned.values.size(); ++i)
      turned.values[i] -= constant * ones_.values[i];
    return turned;
  }

  /// The errors of each pair without it, or without its column. `half`: coefficients A as U' A.
  GridMatrix without_pair(const GridMatrix& half) const {
    GridMatrix errors = product(rows.vectors, half, CblasTrans);
    const GridMatrix diagonal = product(rows.squares, shares_, CblasTrans);
    const GridMatrix sums = product(rows.vectors, sums_, CblasTrans);
    for (std::size_t i = 0; i < errors.values.size(); ++i)
      errors.values[i] /= diagonal.values[i] - sums.values[i] * sums.values[i] / total_;
    return errors;
  }

  /// B of a column is U (diag(d) - z z' / total) U': its inverse has one more rank (Sherman and
  /// Morrison).
  GridMatrix without_column(const GridMatrix& half) const {
    GridMatrix errors = half;
    for (std::size_t j = 0; j < errors.cols; ++j) {
      double along = 0, rest = total_;
      for (std::size_t k = 0; k < errors.rows; ++k) {
        const double z = sums_.row(k)[j], d = shares_.row(k)[j];
        along += z * half.row(k)[j] / d;
        rest -= z * z / d;
      }
      for (std::size_t k = 0; k < errors.rows; ++k)
        errors.row(k)[j] = (half.row(k)[j] + sums_.row(k)[j] * (along / rest)) / shares_.row(k)[j];
    }
    return errors;
  }

  /// The estimates of a new row, whose kernel values are U p, by the fit without each column.
  /// `errors`: those without_column().
  /// The fit without column j has the coefficients a - B E r and the constant b - z_j' r / total,
  /// where r are the column's errors.
  std::vector<double> new_row(std::span<const double> p, const GridMatrix& solved, double constant,
                              const GridMatrix& errors) const {
    std::vector<double> estimates = row_of_kernel(p, solved);
    const std::vector<double> of_ones = row_of_kernel(p, ones_);
    GridMatrix scaled = inverse_;
    for (std::size_t k = 0; k < scaled.rows; ++k)
      for (std::size_t j = 0; j < scaled.cols; ++j) scaled.row(k)[j] *= columns.eigenvalues[j];
    const GridMatrix own = product(scaled, columns.squares);
    for (std::size_t j = 0; j < estimates.size(); ++j) {
      double along = 0;
      for (std::size_t k = 0; k < p.size(); ++k) {
        estimates[j] -= p[k] * errors.row(k)[j] * own.row(k)[j];
        along += sums_.row(k)[j] * errors.row(k)[j];
      }
      estimates[j] += constant + (of_ones[j] - 1) * along / total_;
    }
    return estimates;
  }

  const GridAxis& rows;
  const GridAxis& columns;

 private:
  /// p' A diag(s) V' for A in the eigenvectors' coordinates.
  std::vector<double> row_of_kernel(std::span<const double> p, const GridMatrix& turned) const {
    GridMatrix sums(1, turned.cols);
    for (std::size_t k = 0; k < p.size(); ++k)
      add_scaled(p[k], turned.row(k), sums.row(0), turned.cols);
    for (std::size_t j = 0; j < turned.cols; ++j) sums.row(0)[j] *= columns.eigenvalues[j];
    return product(sums, columns.vectors).values;
  }

  GridMatrix inverse_;  // of the diagonal of M
  GridMatrix ones_;     // M^-1 1, in the eigenvectors' coordinates
  double total_ = 1;    // 1' M^-1 1
  GridMatrix shares_;   // of each eigenvector of K: the diagonal of a column's M^-1
  GridMatrix sums_;     // U' M^-1 1
};

}  // namespace

GridAxis::GridAxis(std::vector<double> kernel, std::size_t order)
    : vectors(order, order), squares(order, order) {
  auto found = numerics::symmetric_eigen(std::move(kernel), order);
  eigenvalues = std::move(found.values);
  vectors.values = std::move(found.vectors);
  squares = by_value(vectors, vectors);
}

GridRidge::GridRidge(const VecTrick& pairs, bool intercept, LeftOut left_out, Context& context)
    : intercept_(intercept), left_out_(left_out) {
  const std::size_t m = pairs.k().order, q = pairs.g().order, n = pairs.pairs();
  const bool few_first = m == 1 && left_out != LeftOut::second;
  const bool few_second = q == 1 && left_out != LeftOut::first;
  if (left_out == LeftOut::pair ? few_first && few_second : few_first || few_second)
    throw Error(
        "nothing remains to learn from without what 'setting' leaves out, as there is a single " +
        std::string(few_first ? "first" : "second") +
        " sample; give pairs of others, or set 'penalty'");
  // Columns are what is left out, and decompositions without a row are those of the smaller side.
  const bool turned = left_out == LeftOut::first || (left_out == LeftOut::both && q < m);
  const std::size_t cols = turned ? m : q;
  pairs_.assign(n == m * q ? n : 0, n);
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const std::size_t a = pairs.index().first[p], b = pairs.index().second[p];
    cells_.push_back(turned ? b * cols + a : a * cols + b);
    pairs_[cells_.back()] = p;
  }
  if (pairs_.empty() || std::ranges::find(pairs_, n) != pairs_.end())
    throw Error(
        "'penalties' are compared in closed form where each first sample has one pair with each "
        "second sample, but there are " +
        std::to_string(n) + " pairs of " + std::to_string(m) + " first and " + std::to_string(q) +
        " second samples; give all pairs, or set 'penalty' and let `select` choose it");
  const std::size_t threads = left_out == LeftOut::both ? context.threads() : 1;
  const std::size_t rows = n / cols;
  const std::size_t bytes =
      sizeof(double) * (4 * (m * m + q * q) + 8 * n + threads * (5 * rows * rows + 8 * n));
  if (bytes > context.memory_budget())
    throw MemoryError("errors of " + std::to_string(m) + " x " + std::to_string(q) +
                      " pairs that are left out take " + mebibytes(bytes) + ", but " +
                      mebibytes(context.memory_budget()) +
                      " are allowed; set 'penalty', train on pairs of fewer samples, or raise "
                      "--memory");
  kernel_ = turned ? pairs.g().values : pairs.k().values;
  const std::vector<double>& others = turned ? pairs.k().values : pairs.g().values;
  context.parallel_for(2, [&](std::size_t axis) {
    (axis == 0 ? rows_ : columns_) = axis == 0 ? GridAxis(kernel_, rows) : GridAxis(others, cols);
  });
  context.check_stop();
}

std::vector<double> GridRidge::of_pairs(const GridMatrix& grid) const {
  std::vector<double> values;
  for (const std::size_t cell : cells_) values.push_back(grid.values[cell]);
  return values;
}

std::vector<GridRidge::Fit> GridRidge::fits(std::span<const double> targets, std::size_t outputs,
                                            std::span<const double> penalties,
                                            Context& context) const {
  std::vector<GridMatrix> turned(outputs, GridMatrix(rows_.order(), columns_.order()));
  for (std::size_t t = 0; t < outputs; ++t) {
    for (std::size_t p = 0; p < cells_.size(); ++p)
      turned[t].values[cells_[p]] = targets[p * outputs + t];
    turned[t] = product(turned[t], columns_.vectors, CblasNoTrans, CblasTrans);
  }
  std::vector<Fit> made;
  for (const double penalty : penalties) {
    context.check_stop();
    Fit& fit = made.emplace_back(Fit{{}, std::vector<double>(targets.size())});
    const GridSystem system(rows_, columns_, penalty, intercept_);
    for (std::size_t t = 0; t < outputs; ++t) {
      double constant = 0;
      const GridMatrix solved = system.solve(product(rows_.vectors, turned[t]), constant);
      const GridMatrix half = product(solved, columns_.vectors);
      fit.coefficients.push_back(of_pairs(product(rows_.vectors, half, CblasTrans)));
      if (left_out_ == LeftOut::both) continue;
      const std::vector<double> errors =
          of_pairs(left_out_ == LeftOut::pair
                       ? system.without_pair(half)
                       : product(rows_.vectors, system.without_column(half), CblasTrans));
      for (std::size_t p = 0; p < errors.size(); ++p) fit.errors[p * outputs + t] = errors[p];
    }
  }
  if (left_out_ == LeftOut::both)
    context.parallel_for(rows_.order(), [&](std::size_t row) {
      context.check_stop();
      leave_out_row(row, turned, targets, penalties, made);
    });
  context.check_stop();
  return made;
}

/// The errors of a row's pairs, each without the row and its column. `turned`: Y V.
void GridRidge::leave_out_row(std::size_t row, std::span<const GridMatrix> turned,
                              std::span<const double> targets, std::span<const double> penalties,
                              std::vector<Fit>& made) const {
  const std::size_t m = rows_.order(), outputs = turned.size();
  std::vector<double> kernel, own;  // of the other rows
  for (std::size_t i = 0; i < m; ++i) {
    if (i == row) continue;
    own.push_back(kernel_[row * m + i]);
    for (std::size_t j = 0; j < m; ++j)
      if (j != row) kernel.push_back(kernel_[i * m + j]);
  }
  const GridAxis rest(std::move(kernel), m - 1);
  std::vector<double> p;
  for (std::size_t k = 0; k + 1 < m; ++k) p.push_back(dot(rest.vectors.row(k), own.data(), m - 1));
  std::vector<GridMatrix> rotated;
  for (const GridMatrix& grid : turned) {
    GridMatrix others(m - 1, grid.cols);
    for (std::size_t i = 0; i + 1 < m; ++i)
      std::copy_n(grid.row(i < row ? i : i + 1), grid.cols, others.row(i));
    rotated.push_back(product(rest.vectors, others));
  }
  for (std::size_t l = 0; l < penalties.size(); ++l) {
    const GridSystem system(rest, columns_, penalties[l], intercept_);
    for (std::size_t t = 0; t < outputs; ++t) {
      double constant = 0;
      const GridMatrix solved = system.solve(rotated[t], constant);
      const GridMatrix without = system.without_column(product(solved, columns_.vectors));
      const std::vector<double> estimates = system.new_row(p, solved, constant, without);
      for (std::size_t j = 0; j < estimates.size(); ++j) {
        const std::size_t place = pairs_[row * columns_.order() + j] * outputs + t;
        made[l].errors[place] = targets[place] - estimates[j];
      }
    }
  }
}

}  // namespace semblance::pairs
