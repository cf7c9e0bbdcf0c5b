// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "panels.hpp"

namespace semblance::ml3 {

/// The rounding error of one float32 operation, relative to its result.
inline constexpr double rounding = 0x1p-24;

/// Error bounds of ModelDrift's input.
struct DriftErrors {
  double directions = 0;   ///< Subspace::defect()
  double coordinates = 0;  ///< Subspace::error()
};

/// Upper bounds of the movement of each model's component outside a subspace since an earlier
/// moment. They are computed from distances to copies of the models ("anchors") and, since the last
/// measurement, the lengths of the updates. The resolution of moments is the interval between two
/// measurements. All lengths are in units of the current models, which shrink() scales.
///
/// Models and coordinates are in panels with one chunk per class.
class ModelDrift {
 public:
  ModelDrift(std::size_t classes, std::size_t models, DriftErrors errors)
      : classes_(classes), models_(models), errors_(errors), path_(classes * models) {}

  /// The models are multiplied with `factor`.
  void shrink(double factor);
  /// Records that the models of class `label` change by factors times a row with this length and
  /// this length outside the subspace.
  void move(std::size_t label, std::span<const float> factors, double length, double outside);

  /// Measures the distance of the models from the newest anchor and starts a new interval.
  void measure(const Panels& v, const Panels& coordinates);
  /// Makes the models an anchor first. The coordinates must be those of Subspace::project().
  void anchor(const Panels& v, const Panels& coordinates);
  /// Whether there is an anchor of the current models; false after shrink().
  bool anchored() const noexcept { return open_; }

  /// The present interval: above 0.
  std::uint32_t now() const noexcept { return static_cast<std::uint32_t>(span_of_.size()); }
  /// Whether there are data for an interval.
  bool knows(std::uint32_t interval) const noexcept { return interval > 0; }
  /// The factor applied to the models since then.
  float scale_since(std::uint32_t interval) const noexcept { return span(interval).scale; }
  /// Bounds of the movement of a class's models up to the last measurement, to which path() must be
  /// added.
  const float* moved_since(std::uint32_t interval, std::size_t label) const noexcept {
    return span(interval).moved.data() + label * models_;
  }
  const float* path(std::size_t label) const noexcept { return path_.data() + label * models_; }

  /// Upper bounds of the lengths of a class's models at all recorded moments.
  const float* sizes(std::size_t label) const noexcept { return sizes_.data() + label * models_; }
  /// An upper bound of the error of a model's coordinates at any moment, relative to its size.
  double coordinate_error() const noexcept { return coordinate_error_; }

  /// The bytes needed for models of `cols` values.
  static double bytes(std::size_t rows, std::size_t cols, std::size_t coordinates);

 private:
  /// The models at a moment, in panels by class.
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
