// SPDX-License-Identifier: MIT
#pragma once

#include "generated/drawn_rows.hpp"
#include "semblance/declaration.hpp"
#include "semblance/source.hpp"

namespace semblance {

/// Series of classes that differ in shape and not in when things happen.
class WarpedSeries final : public Source {
 public:
  static Declaration<WarpedSeries> declare();

  void check_parameters() const override;
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;

 private:
  DrawnSizes sizes() const;
  Layout layout() const;
  std::size_t shortest() const;

  std::int64_t classes_ = 4;
  std::int64_t per_class_ = 15;
  std::int64_t test_per_class_ = 25;
  std::int64_t length_ = 60;
  std::int64_t shortest_ = 0;
  std::int64_t channels_ = 1;
  std::int64_t bumps_ = 5;
  double warp_ = 0.8;
  double noise_ = 0.2;
};

}  // namespace semblance
