// SPDX-License-Identifier: MIT
#include "sift_descriptors.hpp"

#include <algorithm>
#include <cmath>
#include <new>

extern "C" {
#include <vl/dsift.h>
#include <vl/imopv.h>
#include <vl/sift.h>
}

namespace semblance::features {
namespace {

/// Below this norm, descriptors of images without contrast would be rounding errors scaled to
/// length 1.
constexpr double least_norm = 1e-4;

std::vector<float> smoothed_image(const float* image, std::size_t height, std::size_t width,
                                  double sigma) {
  std::vector<float> out(image, image + height * width);
  if (sigma > 0) vl_imsmooth_f(out.data(), width, image, width, height, width, sigma, sigma);
  return out;
}

VlDsiftFilter* make_filter(const SiftGridShape& shape, std::size_t bin) {
  VlDsiftFilter* filter =
      vl_dsift_new(static_cast<int>(shape.width), static_cast<int>(shape.height));
  if (!filter) throw std::bad_alloc();
  const int b = static_cast<int>(bin), step = static_cast<int>(shape.step);
  const VlDsiftDescriptorGeometry geometry{8, 4, 4, b, b};
  vl_dsift_set_geometry(filter, &geometry);
  vl_dsift_set_steps(filter, step, step);
  vl_dsift_set_flat_window(filter, shape.flat);
  // Bounds are those of the outermost bins' centres, 1.5 bins away from the descriptor's.
  const auto low = [&](std::size_t size) {
    return static_cast<int>(std::floor(shape.first_centre(size) - 1.5 * double(bin)));
  };
  const int left = low(shape.width), top = low(shape.height);
  vl_dsift_set_bounds(filter, left, top, left + static_cast<int>(shape.cols() - 1) * step + 3 * b,
                      top + static_cast<int>(shape.rows() - 1) * step + 3 * b);
  return filter;
}

/// Made once, since construction writes shared tables.
const VlSiftFilt* shared_filter() {
  static const std::unique_ptr<VlSiftFilt, void (*)(VlSiftFilt*)> filter(
      vl_sift_new(16, 16, 1, 3, 0), vl_sift_delete);
  if (!filter) throw std::bad_alloc();
  return filter.get();
}

}  // namespace

std::size_t SiftGridShape::largest() const { return *std::max_element(bins.begin(), bins.end()); }

std::size_t SiftGridShape::count(std::size_t size) const {
  const std::size_t need = 3 * largest() + 1;
  return size < need ? 0 : (size - need) / step + 1;
}

double SiftGridShape::first_centre(std::size_t size) const {
  const std::size_t need = 3 * largest() + 1, spare = size - need - (count(size) - 1) * step;
  return double(spare / 2) + 1.5 * double(largest());
}

struct SiftGridDescriptors::Filters {
  std::vector<VlDsiftFilter*> all;
  ~Filters() {
    for (VlDsiftFilter* filter : all) vl_dsift_delete(filter);
  }
};

SiftGridDescriptors::SiftGridDescriptors(const SiftGridShape& shape)
    : shape_(shape), filters_(std::make_unique<Filters>()) {
  filters_->all.reserve(shape.bins.size());
  for (const std::size_t bin : shape.bins) filters_->all.push_back(make_filter(shape, bin));
}

SiftGridDescriptors::~SiftGridDescriptors() = default;

void SiftGridDescriptors::describe(const float* image, std::span<float> out) {
  const std::size_t cells = shape_.rows() * shape_.cols(), sizes = shape_.bins.size();
  for (std::size_t s = 0; s < sizes; ++s) {
    smoothed_ = smoothed_image(image, shape_.height, shape_.width,
                               shape_.smoothing * double(shape_.bins[s]));
    VlDsiftFilter* filter = filters_->all[s];
    vl_dsift_process(filter, smoothed_.data());
    const float* descriptors = vl_dsift_get_descriptors(filter);
    const VlDsiftKeypoint* places = vl_dsift_get_keypoints(filter);
    for (std::size_t c = 0; c < cells; ++c) {
      float* to = out.data() + (c * sizes + s) * sift_values;
      if (places[c].norm > least_norm)
        std::copy_n(descriptors + c * sift_values, sift_values, to);
      else
        std::fill_n(to, sift_values, 0.0f);
    }
  }
}

void describe_points(const float* image, std::size_t height, std::size_t width,
                     std::span<const SiftPoint> points, std::span<const double> bins,
                     double smoothing, std::span<float> out) {
  const VlSiftFilt* filter = shared_filter();
  std::vector<float> gradients(2 * height * width);
  for (std::size_t s = 0; s < bins.size(); ++s) {
    const auto smooth = smoothed_image(image, height, width, smoothing * bins[s]);
    vl_imgradient_polar_f(gradients.data(), gradients.data() + 1, 2, 2 * width, smooth.data(),
                          width, height, width);
    for (std::size_t p = 0; p < points.size(); ++p)
      vl_sift_calc_raw_descriptor(filter, gradients.data(),
                                  out.data() + (p * bins.size() + s) * sift_values,
                                  static_cast<int>(width), static_cast<int>(height), points[p].x,
                                  points[p].y, bins[s] / filter->magnif, 0);
  }
}

bool all_finite(std::span<const float> pixels) {
  return std::ranges::all_of(pixels, [](float p) { return std::isfinite(p); });
}

void shrink_image(const float* image, std::size_t height, std::size_t width, std::size_t shrink,
                  std::vector<float>& out) {
  const std::size_t rows = height / shrink, cols = width / shrink;
  out.assign(rows * cols, 0.0f);
  for (std::size_t y = 0; y < rows * shrink; ++y)
    for (std::size_t x = 0; x < cols * shrink; ++x)
      out[y / shrink * cols + x / shrink] += image[y * width + x];
  for (float& value : out) value /= static_cast<float>(shrink * shrink);
}

}  // namespace semblance::features
