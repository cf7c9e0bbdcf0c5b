// SPDX-License-Identifier: MIT
#include "model_drift.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "row_panels.hpp"

namespace semblance::ml3 {
namespace {

constexpr std::size_t most_anchors = 20;
/// A bound of the rounding of a few operations on positive float32 values.
constexpr float above = 1 + 0x1p-20F;

std::vector<numerics::AlignedBuffer> copy(const Panels& panels) {
  std::vector<numerics::AlignedBuffer> copies;
  for (std::size_t c = 0; c < panels.chunks(); ++c) {
    copies.emplace_back(panels.chunk(c).bytes() / sizeof(float));
    std::copy_n(panels.chunk(c).panel(0), copies.back().size(), copies.back().data());
  }
  return copies;
}

/// |a - factor b|^2 for each row of a class, in panels.
std::vector<float> squared_differences(const float* a, const float* b, float factor,
                                       std::size_t cols, std::size_t panels) {
  const std::size_t width = numerics::tile_shape().width;
  std::vector<float> squares(panels * width);
  for (std::size_t p = 0; p < panels; ++p)
    squared_distances(a + p * cols * width, b + p * cols * width, factor, cols,
                      squares.data() + p * width);
  return squares;
}

}  // namespace

double ModelDrift::bytes(std::size_t rows, std::size_t cols, std::size_t coordinates) {
  const double models = double(most_anchors + 1) * double(rows) * double(cols + coordinates);
  return sizeof(float) * (models + double(most_anchors) * 4 * double(rows));
}

void ModelDrift::shrink(double factor) {
  if (open_) close(nullptr);
  amplitude_ *= factor;
  for (float& size : sizes_) size *= static_cast<float>(factor) * above;
}

void ModelDrift::move(std::size_t label, std::span<const float> factors, double length,
                      double outside) {
  ++moves_[label];
  for (std::size_t j = 0; j < models_; ++j) {
    const std::size_t r = label * models_ + j;
    const double factor = std::abs(double{factors[j]});
    // Includes the rounding of the addition.
    path_[r] +=
        static_cast<float>((factor * outside + 2 * rounding * double{sizes_[r]}) * (1 + 1e-5));
    float& size = anchors_.back().sizes[r];
    size += static_cast<float>(factor * length * (1 + 1e-5));
    sizes_[r] = std::max(sizes_[r], size);
  }
  note_error();
}

void ModelDrift::note_error() {
  // Updates are limited in length by a size and in number by the class's; each uses a row with
  // rounded coordinates and is itself rounded.
  const double moves = double(*std::ranges::max_element(moves_));
  coordinate_error_ =
      std::max(coordinate_error_, 2 * errors_.coordinates + 2 * rounding * (moves + 2));
}

void ModelDrift::close(const std::vector<float>* measured) {
  std::vector<float>& offset = spans_.back().offset;
  offset = distance_;
  // The path includes both of its ends.
  for (std::size_t r = 0; measured != nullptr && r < offset.size(); ++r)
    offset[r] = std::min(offset[r], (*measured)[r]);
  for (std::size_t r = 0; r < offset.size(); ++r) offset[r] = (offset[r] + path_[r]) * above;
  open_ = false;
}

void ModelDrift::open() {
  std::ranges::fill(path_, 0.0F);
  span_of_.push_back(static_cast<std::uint32_t>(spans_.size()));
  spans_.push_back({anchors_.back().number, amplitude_, 1, {}, {}});
  open_ = true;
  update_bounds();
}

const ModelDrift::Anchor& ModelDrift::anchor_of(const Span& span) const noexcept {
  return *std::ranges::find(anchors_, span.anchor, &Anchor::number);
}

void ModelDrift::update_bounds() {
  const auto end = spans_.size() - 1;
  spans_[end].moved.assign(path_.size(), 0.0F);  // the path is all
  for (std::size_t s = 0; s < end; ++s) {
    Span& span = spans_[s];
    const Anchor& from = anchor_of(span);
    const auto scale = static_cast<float>(amplitude_ / from.amplitude) * above;
    span.scale = static_cast<float>(amplitude_ / span.amplitude);
    span.moved.resize(path_.size());
    for (std::size_t r = 0; r < path_.size(); ++r)
      span.moved[r] = (scale * span.offset[r] + from.distance[r] + distance_[r]) * above;
  }
}

ModelDrift::Models ModelDrift::Anchor::models() const {
  Models result{amplitude, {}, {}};
  for (const auto& panels : v) result.v.push_back(panels.data());
  for (const auto& panels : coordinates) result.coordinates.push_back(panels.data());
  return result;
}

ModelDrift::Models ModelDrift::models_now(const Panels& v, const Panels& coordinates) const {
  Models result{amplitude_, {}, {}};
  for (std::size_t y = 0; y < classes_; ++y) {
    result.v.push_back(v.chunk(y).panel(0));
    result.coordinates.push_back(coordinates.chunk(y).panel(0));
  }
  return result;
}

std::vector<float> ModelDrift::distances(const Anchor& from, const Models& to) const {
  const auto factor = static_cast<float>(to.amplitude / from.amplitude);
  // Sizes are in units of now.
  const double sizes = to.amplitude / amplitude_;
  const std::size_t width = numerics::tile_shape().width, panels = (models_ + width - 1) / width;
  std::vector<float> result(classes_ * models_);
  for (std::size_t y = 0; y < classes_; ++y) {
    const std::vector<float> whole =
        squared_differences(to.v[y], from.v[y].data(), factor, cols_, panels);
    const std::vector<float> inside =
        squared_differences(to.coordinates[y], from.coordinates[y].data(), factor, inner_, panels);
    const double more = 1 + 2 * rounding * double(cols_ + 16);
    for (std::size_t j = 0; j < models_; ++j) {
      const double size = sizes * double{sizes_[y * models_ + j]};
      // |d|^2 = |outside|^2 + |inside|^2, the latter with the coordinates' errors.
      const double in = std::max(
          0.0, std::sqrt(double{inside[j]} / more) - (2 * coordinate_error_ + 1e-6) * size);
      const double out = double{whole[j]} * more - (1 - errors_.directions) * in * in;
      result[y * models_ + j] =
          static_cast<float>((std::sqrt(std::max(out, 0.0)) + 8 * rounding * size) * (1 + 1e-5));
    }
  }
  return result;
}

void ModelDrift::measure(const Panels& v, const Panels& coordinates) {
  std::vector<float> measured = distances(anchors_.back(), models_now(v, coordinates));
  if (open_) close(&measured);
  distance_ = std::move(measured);
  open();
}

void ModelDrift::measure_sizes() {
  Anchor& newest = anchors_.back();
  newest.sizes.resize(path_.size());
  const std::size_t width = numerics::tile_shape().width, panels = (models_ + width - 1) / width;
  for (std::size_t y = 0; y < classes_; ++y) {
    const numerics::AlignedBuffer& v = newest.v[y];
    const std::vector<float> squares =
        squared_differences(v.data(), v.data(), 0, v.size() / (panels * width), panels);
    for (std::size_t j = 0; j < models_; ++j)
      newest.sizes[y * models_ + j] = std::sqrt(squares[j]) * (1 + 1e-3F);
  }
  // The spans of a dropped anchor are included in its neighbour's.
  sizes_.assign(path_.size(), 0.0F);
  for (const Anchor& a : anchors_)
    for (std::size_t r = 0; r < sizes_.size(); ++r)
      sizes_[r] =
          std::max(sizes_[r], static_cast<float>(amplitude_ / a.amplitude * 1.001) * a.sizes[r]);
}

/// Drops the anchor whose neighbours are nearest to each other relative to their age; its spans go
/// to the next.
void ModelDrift::give_up_anchor() {
  std::size_t least = 1;
  double cost = std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a + 1 < anchors_.size(); ++a) {
    const std::size_t before = a > 0 ? anchors_[a - 1].number : anchors_[a].number / 2;
    const double gap = double(anchors_[a + 1].number - before);
    const double age = double(made_ - anchors_[a].number);
    if (gap / age >= cost) continue;
    cost = gap / age;
    least = a;
  }
  move_spans(anchors_[least], anchors_[least + 1]);
  for (std::size_t r = 0; r < sizes_.size(); ++r)
    anchors_[least + 1].sizes[r] = std::max(
        anchors_[least + 1].sizes[r],
        static_cast<float>(anchors_[least + 1].amplitude / anchors_[least].amplitude * 1.001) *
            anchors_[least].sizes[r]);
  anchors_.erase(anchors_.begin() + static_cast<std::ptrdiff_t>(least));
}

void ModelDrift::move_spans(const Anchor& from, const Anchor& to) {
  const std::vector<float> distance = distances(from, to.models());
  const auto scale = static_cast<float>(to.amplitude / from.amplitude) * above;
  std::vector<std::uint32_t> places(spans_.size());
  std::vector<Span> kept;
  for (std::size_t s = 0; s < spans_.size(); ++s) {
    Span& span = spans_[s];
    if (span.anchor == from.number) {
      span.anchor = to.number;
      for (std::size_t r = 0; r < distance.size(); ++r)
        span.offset[r] = (scale * span.offset[r] + distance[r]) * above;
    }
    const auto same = std::ranges::find_if(kept, [&](const Span& k) {
      return k.anchor == span.anchor && k.amplitude == span.amplitude;
    });
    places[s] = static_cast<std::uint32_t>(same - kept.begin());
    if (same == kept.end()) {
      kept.push_back(std::move(span));
      continue;
    }
    for (std::size_t r = 0; r < distance.size(); ++r)
      same->offset[r] = std::max(same->offset[r], span.offset[r]);
  }
  spans_ = std::move(kept);
  for (std::uint32_t& place : span_of_) place = places[place];
}

void ModelDrift::anchor(const Panels& v, const Panels& coordinates) {
  cols_ = v.chunk(0).cols();
  inner_ = coordinates.chunk(0).cols();
  const Models now = models_now(v, coordinates);
  if (open_) {
    const std::vector<float> measured = distances(anchors_.back(), now);
    close(&measured);
  }
  if (anchors_.size() == most_anchors) give_up_anchor();
  anchors_.push_back({made_++, amplitude_, copy(v), copy(coordinates), {}, {}});
  moves_.assign(classes_, 0);
  measure_sizes();
  note_error();
  for (Anchor& a : anchors_) a.distance = distances(a, now);
  distance_.assign(path_.size(), 0.0F);
  open();
}

}  // namespace semblance::ml3
