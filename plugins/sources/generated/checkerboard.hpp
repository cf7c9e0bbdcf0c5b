// SPDX-License-Identifier: MIT
#pragma once

#include "generated/generated_classes.hpp"

namespace semblance {

/// Points of a checker board each of whose squares is a class of its own.
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

  /// Bits behind the point of a coordinate, so many that float32 holds it exactly.
  int fraction_bits() const;

  std::int64_t side_ = 25;
};

}  // namespace semblance
