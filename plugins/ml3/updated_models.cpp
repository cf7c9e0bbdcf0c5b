// SPDX-License-Identifier: MIT
#include "updated_models.hpp"

#include <algorithm>

namespace semblance::ml3 {
namespace {

std::vector<std::size_t> places_of(std::span<const std::uint32_t> order) {
  std::vector<std::size_t> places(order.size());
  for (std::size_t place = 0; place < order.size(); ++place) places[order[place]] = place;
  return places;
}

}  // namespace

Panels::Panels(const ModelMatrix& w) {
  // A few last rows join the chunk before: products with one panel alone take nearly as long as
  // with two.
  constexpr std::size_t most = chunk_rows + chunk_rows / 2;
  for (std::size_t row = 0; row < w.rows(); row += chunks_.back().rows()) {
    const std::size_t left = w.rows() - row;
    chunks_.emplace_back(w.view().rows_range(row, left <= most ? left : chunk_rows));
  }
}

void Panels::copy_to(ModelMatrix& w) const {
  for (std::size_t c = 0; c < chunks_.size(); ++c) {
    const FloatMatrix rows = chunks_[c].unpack();
    for (std::size_t r = 0; r < rows.rows; ++r)
      std::copy_n(rows.values.data() + r * rows.cols, rows.cols, w.row(first_row(c) + r));
  }
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
                             std::span<const std::uint32_t> order, const Surroundings& surroundings)
    : problem_(problem),
      surroundings_(surroundings),
      order_(order),
      places_(places_of(order)),
      v_(panels(v)) {
  if (averages) sums_.emplace(ModelMatrix(v.rows(), v.cols()));
}

Panels UpdatedModels::panels(const ModelMatrix& w) const {
  if (order_.empty()) return Panels(w);
  ModelMatrix ordered(w.rows(), w.cols());
  for (std::size_t row = 0; row < w.rows(); ++row)
    std::copy_n(w.row(row), w.cols(), ordered.row(by_model(row)));
  return Panels(ordered);
}

bool UpdatedModels::shares(std::size_t samples) const noexcept {
  return problem_.model_rows() * problem_.inputs() * std::max<std::size_t>(samples, 1) >=
         work_to_share;
}

void UpdatedModels::update_and_multiply(const Updates& updates, const MiniBatchRows& samples,
                                        const MiniBatchRows* next, MutableMatrixView z) {
  const auto work = [&](std::size_t chunk) {
    if (order_.empty())
      apply(chunk, updates, samples);
    else
      apply_by_model(chunk, updates, samples);
    const numerics::PackedRows& models = v_.chunk(chunk);
    if (next != nullptr) next->multiply(models, z.cols_range(v_.first_row(chunk), models.rows()));
  };
  const std::size_t vectors = next != nullptr ? z.rows : updates.count;
  if (shares(vectors))
    surroundings_.parallel_for(v_.chunks(), work);
  else
    for (std::size_t chunk = 0; chunk < v_.chunks(); ++chunk) work(chunk);
}

void UpdatedModels::update_and_multiply(const Updates& updates, const MiniBatchRows& samples,
                                        MiniBatch& next, MutableMatrixView z) {
  const auto work = [&](std::size_t chunk) {
    apply_by_model(chunk, updates, samples);
    multiply_used(chunk, next, z);
  };
  if (shares(z.rows))
    surroundings_.parallel_for(v_.chunks(), work);
  else
    for (std::size_t chunk = 0; chunk < v_.chunks(); ++chunk) work(chunk);
  const std::size_t m = problem_.models, classes = problem_.classes;
  std::vector<float> ordered(z.cols);
  for (std::size_t i = 0; i < z.rows; ++i) {
    std::ranges::copy(z.row_span(i), ordered.begin());
    std::ranges::fill(z.row_span(i), 0.0F);
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t y = 0; y < classes && next[i].values[j] != 0; ++y)
        z.row(i)[y * m + j] = ordered[places_[j] * classes + y];
  }
}

std::vector<std::size_t> UpdatedModels::users(std::size_t chunk, const MiniBatch& batch) const {
  const std::size_t first = v_.first_row(chunk), last = first + v_.chunk(chunk).rows() - 1;
  const std::size_t place = first / problem_.classes;
  const auto models = order_.subspan(place, last / problem_.classes + 1 - place);
  std::vector<std::size_t> positions;
  for (const Sample& sample : batch.samples())
    if (std::ranges::any_of(models, [&](std::uint32_t j) { return sample.values[j] != 0; }))
      positions.push_back(sample.position);
  return positions;
}

void UpdatedModels::multiply_used(std::size_t chunk, MiniBatch& next, MutableMatrixView z) const {
  const std::vector<std::size_t> positions = users(chunk, next);
  std::vector<float*> products;
  for (const std::size_t i : positions) products.push_back(z.row(i) + v_.first_row(chunk));
  if (!positions.empty()) next.rows().multiply(v_.chunk(chunk), positions, products);
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

/// The same with an order of models: both updates by a sample are one, and samples without a weight
/// for the chunk's models are omitted.
void UpdatedModels::apply_by_model(std::size_t chunk, const Updates& updates,
                                   const MiniBatchRows& samples) {
  for (std::size_t p = 0; p < v_.chunk(chunk).panels() && !updates.empty(); ++p)
    apply_by_model(chunk, p, updates, samples);
}

void UpdatedModels::apply_by_model(std::size_t chunk, std::size_t panel, const Updates& updates,
                                   const MiniBatchRows& samples) {
  numerics::PackedRows& models = v_.chunk(chunk);
  const std::size_t width = models.width(), classes = problem_.classes;
  const std::size_t first = v_.first_row(chunk) + panel * width;
  const std::size_t end = std::min(first + width, v_.first_row(chunk) + models.rows());
  struct Factor {
    std::size_t position, lane;
    float value;
    double before;
  };
  std::vector<Factor> listed;
  for (const std::size_t y : updates.classes)
    for (const Update& u : updates.by_class[y])
      for (std::size_t place = first / classes; place * classes + y < end; ++place)
        if (u.factors[order_[place]] != 0 && place * classes + y >= first)
          listed.push_back(
              {u.position, place * classes + y - first, u.factors[order_[place]], u.before});
  if (listed.empty()) return;
  std::ranges::sort(listed, {}, &Factor::position);
  std::vector<std::size_t> positions;
  std::vector<double> before;
  numerics::AlignedBuffer factors(listed.size() * width);
  for (const Factor& f : listed) {
    if (positions.empty() || positions.back() != f.position) {
      std::fill_n(factors.data() + positions.size() * width, width, 0.0F);
      positions.push_back(f.position);
      before.push_back(f.before);
    }
    factors.data()[(positions.size() - 1) * width + f.lane] = f.value;
  }
  samples.add_to(models.panel(panel), models.cols(), positions, factors.data());
  if (!sums_) return;
  for (std::size_t i = 0; i < positions.size() * width; ++i)
    factors.data()[i] = static_cast<float>(double{factors.data()[i]} * before[i / width]);
  samples.add_to(sums_->chunk(chunk).panel(panel), models.cols(), positions, factors.data());
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

ModelMatrix UpdatedModels::as_given(const Panels& panels) const {
  ModelMatrix models(problem_.model_rows(), problem_.stored_inputs());
  panels.copy_to(models);
  if (!order_.empty()) sort_by_class(models);
  return models;
}

/// In place, as memory may be short.
void UpdatedModels::sort_by_class(ModelMatrix& models) const {
  std::vector<char> placed(models.rows());
  std::vector<float> first(models.cols());
  for (std::size_t begin = 0; begin < models.rows(); ++begin) {
    if (placed[begin] != 0) continue;
    std::copy_n(models.row(begin), models.cols(), first.data());
    std::size_t row = begin;
    for (; by_model(row) != begin; row = by_model(row)) {
      std::copy_n(models.row(by_model(row)), models.cols(), models.row(row));
      placed[row] = 1;
    }
    std::copy_n(first.data(), models.cols(), models.row(row));
    placed[row] = 1;
  }
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
