// SPDX-License-Identifier: MIT
#include "descent/updated_models.hpp"

#include <algorithm>

namespace semblance::ml3 {
Panels::Panels(const ModelMatrix& w) {
  // A few last rows join the chunk before: products with one panel alone take nearly as long as
  // with two.
  constexpr std::size_t most = chunk_rows + chunk_rows / 2;
  for (std::size_t row = 0; row < w.rows(); row += chunks_.back().rows()) {
    const std::size_t left = w.rows() - row;
    chunks_.emplace_back(w.view().rows_range(row, left <= most ? left : chunk_rows));
  }
}

ModelMatrix Panels::unpack() const {
  ModelMatrix w(first_row(chunks() - 1) + chunks_.back().rows(), chunks_.back().cols());
  for (std::size_t c = 0; c < chunks(); ++c) {
    const FloatMatrix rows = chunks_[c].unpack();
    for (std::size_t r = 0; r < rows.rows; ++r)
      std::ranges::copy(rows.view().row_span(r), w.row(first_row(c) + r));
  }
  return w;
}

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
                             const Surroundings& surroundings)
    : problem_(problem), surroundings_(surroundings), v_(v) {
  if (averages) sums_.emplace(ModelMatrix(v.rows(), v.cols()));
}

bool UpdatedModels::shares(std::size_t samples) const noexcept {
  return problem_.model_rows() * problem_.inputs() * std::max<std::size_t>(samples, 1) >=
         work_to_share;
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
}

void UpdatedModels::apply(std::size_t chunk, const Updates& updates, const MiniBatchRows& samples) {
  if (updates.empty()) return;
  numerics::PackedRows& models = v_.chunk(chunk);
  const std::size_t width = models.width(), m = problem_.models, cols = models.cols();
  const std::size_t chunk_end = v_.first_row(chunk) + models.rows();
  std::vector<std::size_t> positions;
  numerics::AlignedBuffer factors(updates.count * width);
  for (std::size_t p = 0; p < models.panels(); ++p) {
    const std::size_t first = v_.first_row(chunk) + p * width;
    const std::size_t end = std::min(first + width, chunk_end);
    float* next = factors.data();
    positions.clear();
    for (std::size_t y = first / m; y * m < end; ++y) {
      const std::size_t from = std::max(first, y * m), until = std::min(end, (y + 1) * m);
      for (const Update& u : updates.by_class[y]) {
        positions.push_back(u.position);
        if (until - from < width) std::fill_n(next, width, 0.0F);
        std::copy_n(u.factors.begin() + std::ptrdiff_t(from - y * m), until - from,
                    next + (from - first));
        next += width;
      }
    }
    if (positions.empty()) continue;
    samples.add_to(models.panel(p), cols, positions, factors.data());
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
