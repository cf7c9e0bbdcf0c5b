// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/random.hpp"
#include "semblance/source.hpp"

namespace semblance::sources {

/// A generated point of the plane.
struct PlanePoint {
  double x = 0;
  double y = 0;
};

/// The common base of generated data sets in the plane. Classes alternate row by row, and a row
/// depends only on the seed and its number.
class PlaneSource : public Source {
 public:
  void check_parameters() const override;
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;

 protected:
  /// The point before noise.
  virtual PlanePoint draw(std::size_t label, Random& random) const = 0;
  virtual std::size_t classes() const { return 2; }

  /// Adds the parameters of this class to the declaration of T.
  template <class T>
  static void declare_plane(Declaration<T>& declaration) {
    declaration.parameter("train", &PlaneSource::train_, "training rows", at_least(0), at_most(1e8))
        .parameter("test", &PlaneSource::test_, "test rows", at_least(0), at_most(1e8))
        .parameter("noise", &PlaneSource::noise_,
                   "standard deviation of the normal noise on both coordinates", at_least(0),
                   at_most(1e6))
        .gives(LayoutKind::vector)
        .random()
        .complexity("memory: 12 bytes per row");
  }

  std::int64_t train_ = 400;
  std::int64_t test_ = 1000;
  double noise_ = 0.1;
};

}  // namespace semblance::sources
