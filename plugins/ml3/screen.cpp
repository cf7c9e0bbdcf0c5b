// SPDX-License-Identifier: MIT
#include "screen.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "class_kernels.hpp"
#include "semblance/random.hpp"
#include "semblance_numerics/product.hpp"

namespace semblance::ml3 {

namespace {

constexpr std::size_t most_rows = 2048;  // for finding the directions

constexpr std::size_t turns = 3;  // of the power iteration

/// Values whose products are summed in one chain: rounding grows with its length.
constexpr std::size_t slice = 64;

FloatMatrix transposed(const FloatMatrix& a) {
  FloatMatrix result(a.cols, a.rows);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.cols; ++j)
      result.values[j * a.rows + i] = a.values[i * a.cols + j];
  return result;
}

MatrixView columns_of(MatrixView rows, std::size_t first, std::size_t count) {
  return {rows.data + first, rows.rows, count, rows.stride};
}

/// a b^T
FloatMatrix product(const FloatMatrix& a, const FloatMatrix& b) {
  FloatMatrix result(a.rows, b.rows);
  numerics::multiply(a.view(), numerics::PackedRows(b.view()), result.view());
  return result;
}

/// Gram-Schmidt, applied twice, makes rows orthogonal up to rounding; a row that depends on
/// previous ones becomes 0.
void orthonormalise(FloatMatrix& rows) {
  std::vector<std::vector<double>> done;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const auto values = std::as_const(rows).view().row_span(i);
    std::vector<double> x(values.begin(), values.end());
    const auto dot = [&](const std::vector<double>& a) {
      double sum = 0;
      for (std::size_t k = 0; k < x.size(); ++k) sum += a[k] * x[k];
      return sum;
    };
    const double before = dot(x);
    for (int turn = 0; turn < 2; ++turn)
      for (const auto& other : done) {
        const double along = dot(other);
        for (std::size_t k = 0; k < x.size(); ++k) x[k] -= along * other[k];
      }
    const double squared = dot(x);
    const double scale = squared > 1e-10 * before && before > 0 ? 1 / std::sqrt(squared) : 0;
    for (std::size_t k = 0; k < x.size(); ++k)
      rows.values[i * rows.cols + k] = static_cast<float>(x[k] *= scale);
    done.push_back(std::move(x));
  }
}

/// |Q Q^T - I| of those rows of Q that are not 0.
double defect_of(const FloatMatrix& rows) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.rows; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const auto a = rows.view().row_span(i), b = rows.view().row_span(j);
      double dot = 0;
      for (std::size_t k = 0; k < a.size(); ++k) dot += double{a[k]} * double{b[k]};
      if (i == j && dot == 0) continue;
      const double wrong = dot - (i == j ? 1 : 0);
      sum += (i == j ? 1 : 2) * wrong * wrong;
    }
  return std::sqrt(sum) + 1e-9;
}

/// With fewer values per row, products are too cheap for screening.
constexpr std::size_t least_inputs = 512;

/// With more values per row, finding the subspace takes longer than a stop request may wait.
constexpr std::size_t most_inputs = 4096;

/// With fewer rows, that costs more than it saves.
constexpr std::size_t least_rows = 10'000;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The models' movement is measured after this number of updates per class and at least this number
/// of batches. A new anchor is made after a number of measurements.
constexpr std::size_t moves_per_class = 12;

constexpr std::size_t least_batches = 16;

constexpr std::size_t measurements_an_anchor = 4;

constexpr std::size_t rows_a_task = 32;

std::size_t directions_for(std::size_t inputs) { return std::min<std::size_t>(inputs / 4, 96); }

/// The rounding error of judge() and a step, relative to scores; a score that differs by more is
/// certainly larger.
double score_tolerance(double own, double other) {
  return 2e-5 * (1 + std::abs(own) + std::abs(other));
}

}  // namespace

Subspace::Subspace(const Problem& problem, std::size_t directions)
    : directions_(std::min(directions, problem.rows.cols), problem.rows.cols),
      bias_(problem.bias != 0) {
  const std::size_t count = std::min(problem.rows.rows, most_rows);
  FloatMatrix rows(count, problem.rows.cols);
  for (std::size_t i = 0; i < count; ++i)
    problem.rows.copy(i * problem.rows.rows / count, rows.values.data() + i * rows.cols);
  const FloatMatrix columns = transposed(rows);
  Random random(1);
  for (float& value : directions_.values) value = static_cast<float>(random.normal());
  for (std::size_t turn = 0; turn < turns; ++turn) {
    directions_ = transposed(product(columns, transposed(product(rows, directions_))));
    orthonormalise(directions_);
  }
  defect_ = defect_of(directions_);
  for (std::size_t k = 0; k < directions_.cols; k += slice)
    slices_.emplace_back(
        columns_of(std::as_const(directions_).view(), k, std::min(slice, directions_.cols - k)));
}

void Subspace::project(MatrixView rows, ModelMatrix& coordinates) const {
  ModelMatrix part(rows.rows, directions_.rows);
  for (std::size_t s = 0; s < slices_.size(); ++s) {
    numerics::multiply(columns_of(rows, s * slice, slices_[s].cols()), slices_[s], part.view());
    for (std::size_t i = 0; i < rows.rows; ++i)
      for (std::size_t j = 0; j < directions_.rows; ++j)
        coordinates.row(i)[j] = (s > 0 ? coordinates.row(i)[j] : 0) + part.row(i)[j];
  }
  if (!bias_) return;
  for (std::size_t i = 0; i < rows.rows; ++i)
    coordinates.row(i)[directions_.rows] = rows.row(i)[directions_.cols];
}

double Subspace::error() const noexcept {
  const std::size_t chain = slice + slices_.size() + 4;
  return std::sqrt(double(directions_.rows)) * double(chain) * 0x1p-24 * (1 + defect_);
}

bool Screen::pays(const Problem& problem) {
  if (problem.rows.rows < least_rows || problem.inputs() < least_inputs ||
      problem.inputs() > most_inputs)
    return false;
  // With a background, products are cheaper than screening.
  return problem.rows.background.empty();
}

std::optional<Screen> Screen::make(const Problem& problem, double bytes,
                                   const Surroundings& surroundings) {
  const std::size_t rows = problem.rows.rows, inputs = problem.inputs();
  if (surroundings.ranks().ranks() > 1) return {};
  const std::size_t directions = directions_for(inputs);
  const double values =
      double(rows) * (double(padded(problem.model_rows())) + double(padded(directions + 1)) + 2 +
                      double(problem.classes));
  const double needed =
      sizeof(float) * values +
      ModelDrift::bytes(problem.model_rows() + 16 * problem.classes, inputs, directions + 1);
  if (needed > bytes) return {};
  return std::optional<Screen>(std::in_place, problem, directions, surroundings);
}

Screen::Screen(const Problem& problem, std::size_t directions, const Surroundings& surroundings)
    : problem_(problem),
      surroundings_(surroundings),
      subspace_(problem, directions),
      x_(problem.rows.rows, subspace_.coordinates()),
      lengths_(problem.rows.rows),
      outsides_(problem.rows.rows),
      rest_(problem.rows.rows, problem.model_rows()),
      seen_(problem.rows.rows * problem.classes),
      drift_(problem.classes, problem.models, {subspace_.defect(), subspace_.error()}) {
  project_rows(surroundings);
}

void Screen::project_rows(const Surroundings& surroundings) {
  constexpr std::size_t block = 240;
  const std::size_t rows = problem_.rows.rows;
  surroundings.parallel_for((rows + block - 1) / block, [&](std::size_t b) {
    const std::size_t first = b * block, count = std::min(block, rows - first);
    ModelMatrix whole(count, problem_.inputs()), coordinates(count, subspace_.coordinates());
    for (std::size_t i = 0; i < count; ++i)
      copy_with_bias(problem_.rows.row(first + i), problem_.rows.cols, problem_.rows.centre,
                     problem_.bias, whole.row(i));
    subspace_.project(std::as_const(whole).view(), coordinates);
    for (std::size_t i = 0; i < count; ++i) {
      std::copy_n(coordinates.row(i), x_.stride(), x_.row(first + i));
      double length = 0, inside = 0;
      for (std::size_t k = 0; k < whole.cols(); ++k)
        length += double{whole.row(i)[k]} * double{whole.row(i)[k]};
      for (std::size_t k = 0; k < coordinates.cols(); ++k)
        inside += double{coordinates.row(i)[k]} * double{coordinates.row(i)[k]};
      // |x - Q'c|^2 = |x|^2 - 2 x.Q'c + |Q'c|^2 where c is Qx but for its error.
      const double outside =
          length - inside + (3 * subspace_.error() + subspace_.defect() + 1e-9) * length;
      lengths_[first + i] = static_cast<float>(std::sqrt(length) * (1 + 1e-6));
      outsides_[first + i] = static_cast<float>(std::sqrt(std::max(outside, 0.0)) * (1 + 1e-6));
    }
  });
}

void Screen::shrink(double factor) {
  drift_.shrink(factor);
  begun_ = false;
}

void Screen::look_at(const Panels& v) {
  ++batches_;
  const bool time = moves_ >= moves_per_class * problem_.classes && batches_ >= least_batches;
  if (begun_ && !time) return;
  if (!begun_ || measurements_ >= measurements_an_anchor) {
    ModelMatrix w(problem_.model_rows(), problem_.inputs());
    v.copy_to(w);
    ModelMatrix coordinates(w.rows(), subspace_.coordinates());
    subspace_.project(std::as_const(w).view(), coordinates);
    coordinates_.emplace(coordinates, 0, w.rows(), problem_.models);
    drift_.anchor(v, *coordinates_);
    measurements_ = 0;
    begun_ = true;
  } else {
    drift_.measure(v, *coordinates_);
    ++measurements_;
  }
  moves_ = batches_ = 0;
}

void Screen::move(std::size_t sample, std::size_t label, std::span<const float> factors) {
  drift_.move(label, factors, double{lengths_[sample]}, double{outsides_[sample]});
  ++moves_;
}

double Screen::product_error() const noexcept {
  // The errors of sums over all values and over the coordinates, then and now; of the models'
  // coordinates, then and now; and of directions that are not exactly orthogonal.
  const double sums = 2 * double(problem_.inputs()) + 2.1 * double(subspace_.coordinates()) + 64;
  return 1.05 * (rounding * sums + 4 * subspace_.error() + 4 * subspace_.defect() +
                 2 * drift_.coordinate_error());
}

void Screen::screen(std::span<const Sample> samples, const Weighting& weighting, double scale) {
  const std::size_t count = samples.size();
  scale_ = scale;
  samples_.assign(samples.begin(), samples.end());
  if (near_.rows() < count) near_ = ModelMatrix(count, problem_.model_rows());
  least_own_.assign(count, 0);
  most_.assign(count * problem_.classes, 0);
  const double error = product_error();
  const auto work = [&](std::size_t first, std::size_t end) {
    ModelMatrix x(end - first, subspace_.coordinates());
    for (std::size_t i = first; i < end; ++i)
      std::copy_n(x_.row(samples[i].number), x_.cols(), x.row(i - first));
    const numerics::PackedBlock left(std::as_const(x).view());
    for (std::size_t y = 0; y < problem_.classes; ++y)
      numerics::multiply(left, coordinates_->chunk(y),
                         near_.view()
                             .rows_range(first, end - first)
                             .cols_range(y * problem_.models, problem_.models));
    for (std::size_t i = first; i < end; ++i) screen_one(i, weighting, error);
  };
  if (count * problem_.model_rows() * x_.cols() >= work_to_share)
    surroundings_.parallel_for((count + rows_a_task - 1) / rows_a_task, [&](std::size_t task) {
      work(task * rows_a_task, std::min((task + 1) * rows_a_task, count));
    });
  else
    work(0, count);
  counts_.samples += count;
  counts_.classes += count * problem_.classes;
  for (std::size_t i = 0; i < count; ++i) counts_.passed += passes(i);
}

void Screen::screen_one(std::size_t position, const Weighting& weighting, double error) {
  const Sample& sample = samples_[position];
  const std::size_t m = problem_.models, own = label(sample);
  const float outside = outsides_[sample.number] * (1 + 0x1p-20F);
  const auto rounded = static_cast<float>(error * double{lengths_[sample.number]} * (1 + 1e-6));
  std::vector<float> z(m), errors(m);
  least_own_[position] = -infinity;
  for (std::size_t y = 0; y < problem_.classes; ++y) {
    double& most = most_[position * problem_.classes + y];
    const std::uint32_t seen = seen_[sample.number * problem_.classes + y];
    most = infinity;
    if (!drift_.knows(seen)) continue;
    near_products(
        {near_.row(position) + y * m, rest_.row(sample.number) + y * m, drift_.moved_since(seen, y),
         drift_.path(y), drift_.sizes(y), drift_.scale_since(seen), outside, rounded},
        m, z.data(), errors.data());
    if (y == own)
      least_own_[position] = weighting.least_own(sample, z, errors);
    else
      most = weighting.most(sample, y, z, errors);
  }
}

bool Screen::wanted(std::size_t position, std::size_t label) const noexcept {
  const double own = scale_ * least_own_[position],
               other = scale_ * most_[position * problem_.classes + label];
  // NaN counts as such.
  return !(own - other > 1 + score_tolerance(own, other));
}

bool Screen::passes(std::size_t position) const noexcept {
  const std::size_t own = label(samples_[position]);
  for (std::size_t y = 0; y < problem_.classes; ++y)
    if (y != own && wanted(position, y)) return false;
  return true;
}

void Screen::raise_least_own(std::size_t position, double to) noexcept {
  least_own_[position] = std::max(least_own_[position], to / scale_);
}

void Screen::widen(std::size_t position, std::size_t label, double rise, double fall) noexcept {
  if (label == this->label(samples_[position]))
    least_own_[position] -= fall;
  else
    most_[position * problem_.classes + label] += rise;
}

void Screen::keep(std::size_t position, std::size_t label, std::span<const float> z) {
  const std::size_t number = samples_[position].number;
  const float* near = near_.row(position) + label * problem_.models;
  float* rest = rest_.row(number) + label * problem_.models;
  for (std::size_t j = 0; j < z.size(); ++j) rest[j] = z[j] - near[j];
  seen_[number * problem_.classes + label] = drift_.now();
}

}  // namespace semblance::ml3
