// SPDX-License-Identifier: MIT
#include "model_drift.hpp"

#include <algorithm>
#include <cmath>

#include "row_panels.hpp"

namespace semblance::ml3 {
namespace {

constexpr std::size_t most_anchors = 24;
constexpr double rounding = 0x1p-24;

numerics::AlignedBuffer copy(const numerics::PackedRows& rows) {
  numerics::AlignedBuffer values(rows.bytes() / sizeof(float));
  std::copy_n(rows.panel(0), values.size(), values.data());
  return values;
}

/// |a - factor b|^2 of each row of a class.
std::vector<float> squared_differences(const numerics::PackedRows& a,
                                       const numerics::AlignedBuffer& b, float factor) {
  std::vector<float> squares(a.panels() * a.width());
  const std::size_t panel = a.cols() * a.width();
  for (std::size_t p = 0; p < a.panels(); ++p)
    squared_distances(a.panel(p), b.data() + p * panel, factor, a.cols(),
                      squares.data() + p * a.width());
  return squares;
}

}  // namespace

double ModelDrift::bytes(std::size_t rows, std::size_t cols, std::size_t coordinates) {
  const double models = double(most_anchors + 1) * double(rows) * double(cols + coordinates);
  return sizeof(float) * (models + double(most_anchors) * 10 * 2 * double(rows));
}

void ModelDrift::shrink(double factor) {
  if (open_) close(nullptr);
  amplitude_ *= factor;
  longest_ *= factor;
  coordinate_error_ *= factor;
}

void ModelDrift::move(std::size_t label, std::span<const float> factors, double length,
                      double outside) {
  ++moves_[label];
  for (std::size_t j = 0; j < models_; ++j) {
    const std::size_t r = label * models_ + j;
    const double factor = std::abs(double{factors[j]});
    // With what adding it rounds.
    path_[r] += static_cast<float>((factor * outside + 2 * rounding * longest_) * (1 + 1e-5));
    walked_[r] += factor * length * (1 + 1e-5);
    longest_ = std::max(longest_, double{lengths_[r]} + walked_[r]);
  }
  note_errors();
}

void ModelDrift::note_errors() {
  const double walked = *std::ranges::max_element(walked_);
  const double moves = double(*std::ranges::max_element(moves_));
  coordinate_error_ = std::max(
      coordinate_error_,
      errors_.coordinates * (longest_ + walked) + 2 * rounding * (moves + 2) * longest_);
}

void ModelDrift::close(const std::vector<float>* measured) {
  std::vector<float>& offset = spans_.back().offset;
  offset = distance_;
  // The path leads from where it began, and to where it ends.
  for (std::size_t r = 0; measured != nullptr && r < offset.size(); ++r)
    offset[r] = std::min(offset[r], (*measured)[r]);
  for (std::size_t r = 0; r < offset.size(); ++r)
    offset[r] = (offset[r] + path_[r]) * (1 + 0x1p-20F);
  open_ = false;
}

void ModelDrift::open() {
  std::ranges::fill(path_, 0.0F);
  spans_.push_back({anchors_.back().number, amplitude_, 1, {}, {}});
  open_ = true;
  update_bounds();
}

void ModelDrift::update_bounds() {
  const auto end = spans_.size() - 1;
  spans_[end].moved.assign(path_.size(), 0.0F);  // the path is all
  for (std::size_t s = 0; s < end; ++s) {
    Span& span = spans_[s];
    const Anchor& from = anchors_[span.anchor - anchors_.front().number];
    span.scale = static_cast<float>(amplitude_ / span.amplitude);
    span.moved.resize(path_.size());
    for (std::size_t r = 0; r < path_.size(); ++r)
      span.moved[r] =
          (span.scale * span.offset[r] + from.distance[r] + distance_[r]) * (1 + 0x1p-20F);
  }
}

std::vector<float> ModelDrift::distances(const Anchor& from, const Panels& v,
                                         const Panels& coordinates) const {
  const auto factor = static_cast<float>(amplitude_ / from.amplitude);
  const double longest = longest_ * 1.001;
  std::vector<float> result(classes_ * models_);
  for (std::size_t y = 0; y < classes_; ++y) {
    const numerics::PackedRows& rows = v.chunk(y);
    const std::vector<float> whole = squared_differences(rows, from.v[y], factor);
    const std::vector<float> inside =
        squared_differences(coordinates.chunk(y), from.coordinates[y], factor);
    const double more = 1 + 2 * rounding * double(rows.cols() + 16);
    for (std::size_t j = 0; j < models_; ++j) {
      // |d|^2 = |outside|^2 + |inside|^2, the latter with the coordinates' errors.
      const double in = std::max(
          0.0, std::sqrt(double{inside[j]} / more) - 2 * coordinate_error_ - 1e-6 * longest);
      const double out = double{whole[j]} * more - (1 - errors_.directions) * in * in;
      result[y * models_ + j] = static_cast<float>(
          (std::sqrt(std::max(out, 0.0)) + 4 * rounding * longest) * (1 + 1e-5));
    }
  }
  return result;
}

void ModelDrift::measure(const Panels& v, const Panels& coordinates) {
  std::vector<float> measured = distances(anchors_.back(), v, coordinates);
  if (open_) close(&measured);
  distance_ = std::move(measured);
  open();
}

void ModelDrift::measure_lengths(const Panels& v) {
  lengths_.assign(classes_ * models_, 0.0F);
  for (std::size_t y = 0; y < classes_; ++y) {
    const numerics::PackedRows& rows = v.chunk(y);
    numerics::AlignedBuffer nothing(rows.bytes() / sizeof(float));
    std::fill_n(nothing.data(), nothing.size(), 0.0F);
    const std::vector<float> squares = squared_differences(rows, nothing, 0);
    for (std::size_t j = 0; j < models_; ++j) {
      lengths_[y * models_ + j] = std::sqrt(squares[j]) * (1 + 1e-3F);
      longest_ = std::max(longest_, double{lengths_[y * models_ + j]});
    }
  }
}

void ModelDrift::anchor(const Panels& v, const Panels& coordinates) {
  walked_.assign(path_.size(), 0);
  moves_.assign(classes_, 0);
  measure_lengths(v);
  note_errors();
  if (open_) {
    const std::vector<float> measured = distances(anchors_.back(), v, coordinates);
    close(&measured);
  }
  if (anchors_.size() == most_anchors) {
    const std::size_t gone = anchors_.front().number;
    anchors_.pop_front();
    while (!spans_.empty() && spans_.front().anchor == gone) {
      spans_.pop_front();
      ++first_;
    }
  }
  anchors_.push_back({made_++, amplitude_, {}, {}, {}});
  for (std::size_t y = 0; y < classes_; ++y) {
    anchors_.back().v.push_back(copy(v.chunk(y)));
    anchors_.back().coordinates.push_back(copy(coordinates.chunk(y)));
  }
  for (Anchor& a : anchors_) a.distance = distances(a, v, coordinates);
  distance_.assign(path_.size(), 0.0F);
  open();
}

}  // namespace semblance::ml3
