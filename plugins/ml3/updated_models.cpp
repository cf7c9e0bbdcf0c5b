// SPDX-License-Identifier: MIT
#include "updated_models.hpp"

#include <algorithm>

#include "panel_update.hpp"
#include "row_panels.hpp"

namespace semblance::ml3 {
void Updates::add(const Update& update) {
  ++count;
  if (by_class[update.label].empty()) classes.push_back(update.label);
  by_class[update.label].push_back(update);
}

void Updates::clear() {
  for (const std::size_t y : classes) by_class[y].clear();
  classes.clear();
  count = 0;
}

UpdatedModels::UpdatedModels(const Problem& problem, const ModelMatrix& v, bool averages,
                             Screen* screen, const Surroundings& surroundings)
    : problem_(problem),
      screen_(screen),
      surroundings_(surroundings),
      share_(v.rows(), v.cols(), surroundings.ranks()),
      chunk_rows_(screen != nullptr ? problem.models : Panels::usual_rows),
      v_(v, share_.first(), share_.rows(), chunk_rows_) {
  if (averages)
    sums_.emplace(ModelMatrix(v.rows(), v.cols()), share_.first(), share_.rows(), chunk_rows_);
}

bool UpdatedModels::shares(std::size_t samples) const noexcept {
  return share_.rows() * problem_.inputs() * std::max<std::size_t>(samples, 1) >= work_to_share;
}

void UpdatedModels::update_and_multiply(const Updates& updates, const MiniBatchRows& samples,
                                        const MiniBatchRows* next, MutableMatrixView z) {
  const auto work = [&](std::size_t chunk) {
    apply(chunk, updates, samples);
    const numerics::PackedRows& models = v_.chunk(chunk);
    if (next != nullptr) next->multiply(models, z.cols_range(v_.first_row(chunk), models.rows()));
  };
  const std::size_t vectors = next != nullptr ? z.rows : updates.count;
  if (shares(vectors))
    surroundings_.parallel_for(v_.chunks(), work);
  else
    for (std::size_t chunk = 0; chunk < v_.chunks(); ++chunk) work(chunk);
  if (next != nullptr) share_.gather_columns(z);
}

void UpdatedModels::multiply(std::span<const float* const> rows, std::size_t label,
                             std::span<float* const> z) const {
  numerics::multiply(rows, v_.chunk(label), z);
}

void UpdatedModels::multiply(const float* x, std::size_t label, std::span<float> z) const {
  const numerics::PackedRows& models = v_.chunk(label);
  std::vector<float> whole(models.panels() * models.width());
  multiply_row(x, models, 0, models.panels(), whole.data());
  std::copy_n(whole.data(), z.size(), z.data());
}

void UpdatedModels::apply(std::size_t chunk, const Updates& updates, const MiniBatchRows& samples) {
  if (updates.empty()) return;
  numerics::PackedRows& models = v_.chunk(chunk);
  const std::size_t width = models.width(), m = problem_.models, cols = models.cols();
  const std::size_t chunk_end = v_.first_row(chunk) + models.rows();
  std::vector<std::size_t> positions;
  std::vector<const float*> coordinates;
  numerics::AlignedBuffer factors(updates.count * width);
  for (std::size_t p = 0; p < models.panels(); ++p) {
    const std::size_t first = v_.first_row(chunk) + p * width;
    const std::size_t end = std::min(first + width, chunk_end);
    float* next = factors.data();
    positions.clear();
    coordinates.clear();
    for (std::size_t y = first / m; y * m < end; ++y) {
      const std::size_t from = std::max(first, y * m), until = std::min(end, (y + 1) * m);
      for (const Update& u : updates.by_class[y]) {
        positions.push_back(u.position);
        coordinates.push_back(u.coordinates);
        if (until - from < width) std::fill_n(next, width, 0.0F);
        std::copy_n(u.factors.begin() + std::ptrdiff_t(from - y * m), until - from,
                    next + (from - first));
        next += width;
      }
    }
    if (positions.empty()) continue;
    samples.add_to(models.panel(p), cols, positions, factors.data());
    if (screen_ != nullptr) {
      numerics::PackedRows& inside = screen_->coordinates().chunk(chunk);
      update_panel(coordinates.data(), factors.data(), coordinates.size(), inside.cols(),
                   inside.panel(p));
    }
    if (sums_) apply_to_sums(chunk, p, updates, samples, positions, factors.data());
  }
}

/// The same for the sums of the average, with factors times the scales before the updates.
void UpdatedModels::apply_to_sums(std::size_t chunk, std::size_t panel, const Updates& updates,
                                  const MiniBatchRows& samples,
                                  std::span<const std::size_t> positions, float* factors) {
  numerics::PackedRows& sums = sums_->chunk(chunk);
  const std::size_t first = sums_->first_row(chunk) + panel * sums.width(), m = problem_.models;
  const std::size_t end = std::min(first + sums.width(), sums_->first_row(chunk) + sums.rows());
  float* next = factors;
  for (std::size_t y = first / m; y * m < end; ++y)
    for (const Update& u : updates.by_class[y])
      for (std::size_t l = 0; l < sums.width(); ++l, ++next)
        *next = static_cast<float>(double{*next} * u.before);
  samples.add_to(sums.panel(panel), sums.cols(), positions, factors);
}

ModelMatrix UpdatedModels::of_all(const Panels& own) {
  ModelMatrix models(problem_.model_rows(), problem_.stored_inputs());
  own.copy_to(models);
  share_.gather_rows(models);
  return models;
}

ModelMatrix UpdatedModels::v_of_all() { return of_all(v_); }

ModelMatrix UpdatedModels::sums_of_all() { return sums_ ? of_all(*sums_) : ModelMatrix(); }

void UpdatedModels::set(const ModelMatrix& v, const ModelMatrix& sums) {
  v_ = Panels(v, share_.first(), share_.rows(), chunk_rows_);
  if (sums_) sums_.emplace(sums, share_.first(), share_.rows(), chunk_rows_);
}

void UpdatedModels::multiply_in(double factor, double scales) {
  const auto scale = static_cast<float>(factor);
  if (sums_)
    v_.for_each(*sums_,
                [&](float& v, float& sum) { sum -= static_cast<float>(scales * double{v}); });
  v_.for_each(v_, [&](float& v, float&) { v *= scale; });
}

/// With W_s = a_s V_s and V_s = V_S - (D_(s+1) + ... + D_S) for the updates D, the sum of all
/// iterates is (a_1 + ... + a_S) V_S - sum (a_1 + ... + a_(s-1)) D_s; sums_ holds the latter, minus
/// the terms before the scale was last multiplied in.
void UpdatedModels::average(double scales, double steps) {
  v_.for_each(*sums_, [&](float& v, float& sum) {
    sum = static_cast<float>((scales * double{v} - double{sum}) / steps);
  });
}

}  // namespace semblance::ml3
