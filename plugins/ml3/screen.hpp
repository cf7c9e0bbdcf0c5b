// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model_drift.hpp"
#include "model_matrix.hpp"
#include "problem.hpp"
#include "semblance_numerics/packed_rows.hpp"
#include "weighting.hpp"

namespace semblance::ml3 {

/// Nearly orthonormal directions that contain most of the rows' variation, followed by the
/// constant's direction. Products of coordinates approximate those of whole rows.
class Subspace {
 public:
  /// For training samples that are all on this rank; found by a block power iteration on at most
  /// 2,048 of them.
  Subspace(const Problem& problem, std::size_t directions);

  std::size_t coordinates() const noexcept { return directions_.rows + (bias_ ? 1 : 0); }

  /// Coordinates of rows with their constant, problem.inputs() values each.
  void project(MatrixView rows, ModelMatrix& coordinates) const;

  /// An upper bound of the distance of |directions directions^T| from the identity.
  double defect() const noexcept { return defect_; }
  /// An upper bound of |coordinates from project() - exact ones| / |row|.
  double error() const noexcept;

 private:
  FloatMatrix directions_;  // one per row, without the constant
  bool bias_;
  double defect_ = 0;
  std::vector<numerics::PackedRows> slices_;  // of the directions' values
};

/// Scores that a screen made unnecessary.
struct ScreenCounts {
  std::size_t classes = 0;   ///< of the samples examined
  std::size_t computed = 0;  ///< of which all products were computed
  std::size_t samples = 0;   ///< samples examined
  std::size_t passed = 0;    ///< of which none was
};

/// Finds samples that certainly have no loss, and classes that cannot be the rival, without most of
/// the products. A descent with a screen ends with the same bits as one without.
///
/// For each sample and class it stores the difference between the products, when last computed, and
/// the products of the coordinates in a subspace. By the Cauchy-Schwarz inequality for each model,
/// the present products are within |x outside| |model's movement outside since| of that difference
/// plus the present products of the coordinates, up to the rounding of all sums involved. There are
/// far fewer coordinates than values.
///
/// It can be reused for several descents on the same problem. Models are in panels with one chunk
/// per class, in units that Descent scales.
class Screen {
 public:
  /// Whether there are enough rows with enough values to save time.
  static bool pays(const Problem& problem);

  /// Makes a screen of at most `bytes`; null if these are too few or there are other ranks.
  static std::optional<Screen> make(const Problem& problem, double bytes,
                                    const Surroundings& surroundings);

  explicit Screen(const Problem& problem, std::size_t directions, const Surroundings& surroundings);

  /// Prepares for another descent, from any starting point.
  void begin() { shrink(1); }
  /// The models, and their coordinates here, are multiplied with `factor`.
  void shrink(double factor);
  /// Updates the measurements of the models if due.
  void look_at(const Panels& v);
  /// The coordinates of a class's models; update them like the models, with coordinates_of() the
  /// samples.
  Panels& coordinates() noexcept { return *coordinates_; }
  const float* coordinates_of(std::size_t sample) const noexcept { return x_.row(sample); }
  void move(std::size_t sample, std::size_t label, std::span<const float> factors);

  /// Looks at a batch of samples, W being scale times the models.
  void screen(std::span<const Sample> samples, const Weighting& weighting, double scale);
  /// Sets the factor between the models and W.
  void set_scale(double scale) noexcept { scale_ = scale; }

  /// Whether a sample of the batch certainly has no loss.
  bool passes(std::size_t position) const noexcept;
  /// Whether the score of another class may matter.
  bool wanted(std::size_t position, std::size_t label) const noexcept;
  /// Raises the lower bound of judge()'s result for the own class.
  void raise_least_own(std::size_t position, double to) noexcept;
  /// Records a change of the models' products, before W is scaled: the score of a class has risen
  /// by at most `rise`, or the own score has fallen by at most `fall`.
  void widen(std::size_t position, std::size_t label, double rise, double fall) noexcept;

  /// Stores the products of a class's models with a sample at the time of its screening.
  void keep(std::size_t position, std::size_t label, std::span<const float> z);
  void count_computed(std::size_t classes) noexcept { counts_.computed += classes; }

  const ScreenCounts& counts() const noexcept { return counts_; }

 private:
  void project_rows(const Surroundings& surroundings);
  void screen_one(std::size_t position, const Weighting& weighting, double error);
  std::size_t label(const Sample& sample) const noexcept {
    return static_cast<std::size_t>(problem_.labels[sample.number]);
  }
  /// The error of a product, relative to the lengths of its two factors.
  double product_error() const noexcept;

  const Problem& problem_;
  const Surroundings& surroundings_;
  Subspace subspace_;
  ModelMatrix x_;                    // coordinates of all rows
  std::vector<float> lengths_;       // of all rows, at least
  std::vector<float> outsides_;      // upper bounds of the length outside the subspace
  ModelMatrix rest_;                 // of the products of all rows, when they were last computed
  std::vector<std::uint32_t> seen_;  // time of the last computation, for all rows and classes; 0:
                                     // never
  ModelDrift drift_;
  std::optional<Panels> coordinates_;
  bool begun_ = false;
  std::size_t moves_ = 0;         // since the last measurement
  std::size_t batches_ = 0;       // the same
  std::size_t measurements_ = 0;  // since the last anchor

  std::vector<Sample> samples_;  // the batch
  ModelMatrix near_;             // products of its coordinates
  double scale_ = 1;
  std::vector<double> least_own_, most_;  // of the samples and classes, before W is scaled
  ScreenCounts counts_;
};

}  // namespace semblance::ml3
