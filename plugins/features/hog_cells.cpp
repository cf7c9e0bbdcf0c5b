// SPDX-License-Identifier: MIT
#include "hog_cells.hpp"

#include <new>

extern "C" {
#include <vl/hog.h>
}

namespace semblance::features {
namespace {
constexpr std::size_t orientations = 9;
}

struct HogCells::Implementation {
  VlHog* handle = vl_hog_new(VlHogVariantUoctti, orientations, VL_FALSE);
  ~Implementation() {
    if (handle) vl_hog_delete(handle);
  }
};

HogCells::HogCells(const HogShape& shape)
    : shape_(shape),
      hog_(std::make_unique<Implementation>()),
      planes_(shape.rows() * shape.cols() * depth) {
  if (!hog_->handle) throw std::bad_alloc();
  vl_hog_set_use_bilinear_orientation_assignments(hog_->handle, shape.bilinear);
}

HogCells::~HogCells() = default;

void HogCells::describe(const float* image, float* cells) {
  vl_hog_put_image(hog_->handle, image, shape_.width, shape_.height, shape_.channels, shape_.cell);
  vl_hog_extract(hog_->handle, planes_.data());
  const std::size_t count = shape_.rows() * shape_.cols();
  for (std::size_t k = 0; k < depth; ++k)
    for (std::size_t c = 0; c < count; ++c) cells[c * depth + k] = planes_[k * count + c];
}

}  // namespace semblance::features
