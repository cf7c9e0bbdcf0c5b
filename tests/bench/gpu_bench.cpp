// SPDX-License-Identifier: MIT
// The rate of each kernel for pairs of rows on this machine's GPU, with and without the way of rows
// and results through memory of the host:
//     gpu_bench [rows] [bases] [values]
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "device_bases.hpp"
#include "programs.hpp"
#include "semblance/random.hpp"
#include "semblance/samples.hpp"
#include "semblance/testing.hpp"
#include "tall_matrix.hpp"

namespace semblance::gpu {
namespace {

Device& open_device() {
  const char* file = std::getenv("SEMBLANCE_GPU_DOOR");
  if (!file) file = SEMBLANCE_GPU_DOOR;
  void* const door = ::dlopen(file, RTLD_NOW);
  using Open = Device*(const char**);
  auto* const open =
      door ? reinterpret_cast<Open*>(::dlsym(door, "semblance_gpu_device")) : nullptr;
  const char* problem = "the door cannot be opened";
  Device* const device = open ? open(&problem) : nullptr;
  if (device) return *device;
  std::fprintf(stderr, "gpu_bench: %s\n", problem);
  std::exit(1);
}

template <class Body>
double seconds(const Body& body) {
  body();
  std::vector<double> taken;
  for (int i = 0; i < 5; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    taken.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::ranges::sort(taken);
  return taken[2];
}

FloatMatrix rows_of(std::size_t rows, std::size_t cols) {
  Random random(rows);
  FloatMatrix made(rows, cols);
  for (float& value : made.values) value = static_cast<float>(random.uniform());
  return made;
}

void measure(Device& device, std::size_t rows, std::size_t bases, std::size_t cols) {
  const FloatMatrix b = rows_of(bases, cols), x = rows_of(rows, cols);
  const std::size_t stride = (cols + 3) / 4 * 4;
  const double terms =
      static_cast<double>(rows) * static_cast<double>(bases) * static_cast<double>(cols);
  struct Case {
    const char* kernel;
    PairSum sum;
    int operations;  // instructions a term
  };
  for (const Case& c : {Case{"products", PairSum::product, 1},
                        Case{"squared_distances", PairSum::squared_difference, 2}}) {
    double alone = 0;
    device.with_queue([&](DeviceQueue& queue) {
      RowPairs p;
      const DeviceAddress of_bases = queue.memory(0, bases * stride * 4),
                          of_rows = queue.memory(1, rows * stride * 4),
                          out = queue.memory(2, rows * bases * 4);
      queue.write(of_bases, stride, b.view());
      queue.write(of_rows, stride, x.view());
      queue.wait();
      p.bases = reinterpret_cast<const float*>(of_bases);
      p.rows = reinterpret_cast<const float*>(of_rows);
      p.out = reinterpret_cast<float*>(out);
      p.bases_stride = p.rows_stride = stride;
      p.out_stride = bases;
      p.count = static_cast<unsigned>(bases);
      p.rows_count = static_cast<unsigned>(rows);
      p.cols = static_cast<unsigned>(cols);
      if (c.sum == PairSum::squared_difference) {
        p.finish = Finish::exponential;
        p.factor = -1;
      }
      constexpr int times = 10;
      alone = seconds([&] {
                for (int i = 0; i < times; ++i)
                  queue.start(row_pairs_program, c.kernel,
                              {static_cast<std::uint32_t>((bases + 127) / 128),
                               static_cast<std::uint32_t>((rows + 127) / 128), row_pair_threads},
                              p);
                queue.wait();
              }) /
              times;
    });
    testing::TestContext context;
    const DeviceBases there(
        device, bases, cols,
        [&](std::size_t first, MutableMatrixView to) {
          for (std::size_t i = 0; i < to.rows; ++i)
            std::copy_n(b.view().row(first + i), to.cols, to.row(i));
        },
        context);
    FloatMatrix out(rows, bases);
    const double whole = seconds([&] { there.compare({c.sum}, x.view(), 0, out.view(), context); });
    std::printf(
        "%-19s %6zu x %6zu x %5zu: %8.3f ms, %6.2f T instructions/s; with copies %8.3f ms\n",
        c.kernel, rows, bases, cols, 1e3 * alone, c.operations * terms / alone / 1e12, 1e3 * whole);
  }
}

/// A Device's context.
class OnDevice final : public testing::TestContext {
 public:
  explicit OnDevice(Device& device) : TestContext(16), device_(device) {}
  Device* device() noexcept override { return &device_; }

 private:
  Device& device_;
};

template <class T>
void measure_tall(Device& device, std::size_t rows, std::size_t cols, std::size_t vectors) {
  OnDevice context(device);
  const FloatMatrix values = rows_of(rows, cols);
  const MatrixRows all(values.view());
  const auto begin = std::chrono::steady_clock::now();
  const auto x = TallMatrix::of(all, context);
  const double copied =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::size_t stride = (cols + 15) / 16 * 16;
  std::vector<T> v(vectors * stride, T{1}), z(rows * vectors);
  std::vector<double> out(vectors * stride);
  const double bytes = 4.0 * static_cast<double>(rows) * static_cast<double>(cols);
  const double products = seconds([&] { x->multiply(v.data(), stride, vectors, z.data()); });
  const double sums = seconds([&] { x->sum(z.data(), vectors, out.data(), stride); });
  std::printf(
      "tall %s, %zu x %zu with %zu: copied in %.1f ms; products %.3f ms, %.0f GB/s; sums "
      "%.3f ms, %.0f GB/s\n",
      sizeof(T) == 4 ? "float32" : "double", rows, cols, vectors, 1e3 * copied, 1e3 * products,
      bytes / products / 1e9, 1e3 * sums, bytes / sums / 1e9);
}

}  // namespace
}  // namespace semblance::gpu

int main(int argc, char** argv) {
  using namespace semblance::gpu;
  auto& device = open_device();
  std::printf("%s\n", device.name().c_str());
  if (argc == 4) {
    measure(device, std::strtoul(argv[1], nullptr, 10), std::strtoul(argv[2], nullptr, 10),
            std::strtoul(argv[3], nullptr, 10));
    return 0;
  }
  measure(device, 4096, 8192, 784);
  measure(device, 64, 6000, 784);
  measure(device, 4096, 8192, 32);
  measure_tall<float>(device, 60000, 5000, 10);
  measure_tall<double>(device, 60000, 5000, 10);
  measure_tall<float>(device, 1000000, 100, 2);
}
