// SPDX-License-Identifier: MIT
#pragma once

#include "generated/generated_classes.hpp"

namespace semblance {

/// Vectors of -1 with two intervals of 1, whose starts determine the class.
class DoubleInterval final : public GeneratedClasses {
 public:
  DoubleInterval() : GeneratedClasses(15) {}
  static Declaration<DoubleInterval> declare();

 private:
  std::size_t dimension() const override { return static_cast<std::size_t>(dimension_); }
  std::int64_t class_count() const override;
  std::uint64_t room(std::int64_t c) const override;
  std::string class_name(std::int64_t c) const override;
  void fill(std::int64_t c, std::uint64_t example, std::span<float> out) const override;

  std::int64_t dimension_ = 500;
};

}  // namespace semblance
