// SPDX-License-Identifier: MIT
#pragma once

#include "generated/generated_classes.hpp"

namespace semblance {

/// Points on a checkerboard, each square of which is a separate class.
class Checkerboard final : public GeneratedClasses {
 public:
  Checkerboard() : GeneratedClasses(5) {}
  static Declaration<Checkerboard> declare();

 private:
  std::size_t dimension() const override { return 2; }
  std::int64_t class_count() const override { return side_ * side_; }
  std::uint64_t room(std::int64_t c) const override;
  std::string class_name(std::int64_t c) const override;
  void fill(std::int64_t c, std::uint64_t example, std::span<float> out) const override;

  /// Fraction bits of a coordinate, few enough to be exact in float32.
  int fraction_bits() const;

  std::int64_t side_ = 25;
};

}  // namespace semblance
