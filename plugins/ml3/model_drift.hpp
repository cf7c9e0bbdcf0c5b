// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "panels.hpp"

namespace semblance::ml3 {

/// Of one float32 operation, relative to its result.
inline constexpr double rounding = 0x1p-24;

/// What ModelDrift cannot know of the numbers it is given.
struct DriftErrors {
  double directions = 0;   ///< Subspace::defect()
  double coordinates = 0;  ///< Subspace::error()
};

/// How far the part of each model that a subspace leaves over can have moved since an earlier
/// moment: an upper bound, from distances to copies of the models ("anchors") and, since the last
/// one was measured, the lengths of the updates. Moments are told apart as far as intervals between
/// two measurements. All lengths are in units of the models as they are now, which shrink() scales.
///
/// Models and coordinates are in panels with a chunk a class.
class ModelDrift {
 public:
  ModelDrift(std::size_t classes, std::size_t models, DriftErrors errors)
      : classes_(classes), models_(models), errors_(errors), path_(classes * models) {}

  /// The models are multiplied with `factor`.
  void shrink(double factor);
  /// A model of class `label` changes by factors times a row of this length, of which so much is
  /// outside the subspace.
  void move(std::size_t label, std::span<const float> factors, double length, double outside);

  /// Measures how far the models are from the newest anchor, and begins an interval.
  void measure(const Panels& v, const Panels& coordinates);
  /// Makes an anchor of them first. The coordinates are to be as Subspace::project() gives them.
  void anchor(const Panels& v, const Panels& coordinates);
  /// Whether there is an anchor of models like these; none after shrink().
  bool anchored() const noexcept { return open_; }

  /// The present interval: above 0.
  std::uint32_t now() const noexcept { return static_cast<std::uint32_t>(span_of_.size()); }
  /// Whether anything is known of an interval.
  bool knows(std::uint32_t interval) const noexcept { return interval > 0; }
  /// What the models have been multiplied with since then.
  float scale_since(std::uint32_t interval) const noexcept { return span(interval).scale; }
  /// Bounds of the movement of a class's models up to the last measurement; path() is what comes on
  /// top.
  const float* moved_since(std::uint32_t interval, std::size_t label) const noexcept {
    return span(interval).moved.data() + label * models_;
  }
  const float* path(std::size_t label) const noexcept { return path_.data() + label * models_; }

  /// At least the lengths of a class's models at any moment that is known of.
  const float* sizes(std::size_t label) const noexcept { return sizes_.data() + label * models_; }
  /// At least the error of a model's coordinates at any moment, relative to its size.
  double coordinate_error() const noexcept { return coordinate_error_; }

  /// Bytes that are kept for models of `cols` values.
  static double bytes(std::size_t rows, std::size_t cols, std::size_t coordinates);

 private:
  /// At some moment, panels of each class.
  struct Models {
    double amplitude = 1;
    std::vector<const float*> v, coordinates;
  };
  struct Anchor {
    std::size_t number = 0;
    double amplitude = 1;
    std::vector<numerics::AlignedBuffer> v, coordinates;  // a buffer a class
    Models models() const;
    std::vector<float> distance;  // of the newest anchor from it
    std::vector<float> sizes;     // at least, up to the next one
  };
  struct Span {              // of intervals
    std::size_t anchor = 0;  // its number
    double amplitude = 1;
    float scale = 1;
    std::vector<float> offset;  // of the anchor from it, in units of the anchor
    std::vector<float> moved;
  };

  void close(const std::vector<float>* measured);
  void open();
  void update_bounds();
  void give_up_anchor();
  void move_spans(const Anchor& from, const Anchor& to);
  const Span& span(std::uint32_t interval) const noexcept { return spans_[span_of_[interval - 1]]; }
  const Anchor& anchor_of(const Span& span) const noexcept;
  Models models_now(const Panels& v, const Panels& coordinates) const;
  std::vector<float> distances(const Anchor& from, const Models& to) const;
  void measure_sizes();
  void note_error();

  std::size_t classes_;
  std::size_t models_;
  std::size_t cols_ = 0, inner_ = 0;  // values of a model, and of its coordinates
  DriftErrors errors_;
  std::vector<float> path_;      // since the last measurement
  std::vector<float> distance_;  // then, from the newest anchor
  std::vector<Anchor> anchors_;
  std::vector<Span> spans_;
  std::vector<std::uint32_t> span_of_;  // the intervals
  std::size_t made_ = 0;                // anchors
  bool open_ = false;
  double amplitude_ = 1;

  std::vector<std::size_t> moves_;  // of each class, since the newest anchor
  std::vector<float> sizes_;
  double coordinate_error_ = 0;
};

}  // namespace semblance::ml3
