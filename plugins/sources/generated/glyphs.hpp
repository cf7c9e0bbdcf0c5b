// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/source.hpp"
#include "semblance/wanted_rows.hpp"

namespace semblance {

/// Small grey images of ten shapes, shifted and locally deformed: a task for measures that allow
/// deformations, without any file.
class Glyphs final : public Source, public SelectiveSource {
 public:
  void check_parameters() const override;
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<Glyphs> declare();

 private:
  std::int64_t train_per_class_ = 100;
  std::int64_t test_per_class_ = 100;
  std::int64_t size_ = 28;
  double shift_ = 4;
  double deformation_ = 1.5;
  double rotation_ = 8;
  double noise_ = 20;
};

}  // namespace semblance
