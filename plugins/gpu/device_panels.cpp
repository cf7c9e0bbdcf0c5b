// SPDX-License-Identifier: MIT
#include "device_panels.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "semblance/error.hpp"
#include "semblance/samples.hpp"

namespace semblance::gpu {
namespace {

constexpr std::size_t panel_bytes = std::size_t{64} << 20;
constexpr std::size_t most_bases = std::size_t{1} << 20;  // of a panel: kernels' grids have limits
// Left free for the blocks that the queues work on.
constexpr std::size_t spare_bytes = std::size_t{1} << 30;
constexpr std::size_t most_out = std::size_t{1} << 22;  // values of a block's results

}  // namespace

std::size_t DevicePanels::fitting(std::size_t bytes) {
  return std::clamp(panel_bytes / bytes, std::size_t{1}, most_bases);
}

DevicePanels::DevicePanels(Device& device, const Shape& shape, Fetch fetch, Store store,
                           Context& context)
    : device_(device),
      shape_(shape),
      fetch_(std::move(fetch)),
      store_(std::move(store)),
      panels_((shape.count + shape.panel - 1) / shape.panel) {
  device_.with_queue([&](DeviceQueue& queue) {
    for (std::size_t p = 0; p < panels_.size(); ++p) {
      context.check_stop();
      if (device_.free_memory() < shape_.bytes + spare_bytes) break;
      panels_[p] = device_.allocate(shape_.bytes);
      this->store(p, panels_[p]->address(), queue);
    }
    queue.wait();
  });
  if (const std::size_t there = resident(); there < shape_.count)
    context.log(
        LogLevel::warning,
        device_.name() + " has memory for " + std::to_string(there) + " of " +
            std::to_string(shape_.count) +
            " bases; the others are copied to it for each block of rows, which takes longer");
}

std::size_t DevicePanels::bases_of(std::size_t panel) const noexcept {
  return std::min(shape_.panel, shape_.count - panel * shape_.panel);
}

std::size_t DevicePanels::resident() const noexcept {
  std::size_t found = 0;
  for (std::size_t p = 0; p < panels_.size(); ++p)
    if (panels_[p]) found += bases_of(p);
  return found;
}

void DevicePanels::store(std::size_t panel, DeviceAddress to, DeviceQueue& queue) const {
  FloatMatrix rows(bases_of(panel), shape_.cols);
  fetch_(panel * shape_.panel, rows.view());
  store_(rows.view(), to, queue);
}

DeviceAddress DevicePanels::panel(std::size_t number, DeviceQueue& queue) const {
  if (panels_[number]) return panels_[number]->address();
  const DeviceAddress address = queue.memory(of_panel, shape_.bytes);
  store(number, address, queue);
  return address;
}

void DevicePanels::for_each_part(std::size_t first, std::size_t count, DeviceQueue& queue,
                                 const std::function<void(const Part&)>& body) const {
  for (std::size_t done = 0; done < count;) {
    const std::size_t number = (first + done) / shape_.panel;
    Part part;
    part.panel = panel(number, queue);
    part.first = (first + done) % shape_.panel;
    part.count = std::min(shape_.panel - part.first, count - done);
    part.done = done;
    body(part);
    done += part.count;
  }
}

void DevicePanels::for_each_block(
    MatrixView in, MutableMatrixView out, const Rows& limits, Context& context,
    const std::function<void(MatrixView, MutableMatrixView, DeviceQueue&)>& body) const {
  std::size_t rows =
      std::clamp(most_out / std::max<std::size_t>(out.cols, 1), std::size_t{1}, limits.most);
  if (rows < in.rows && rows > limits.unit) rows = rows / limits.unit * limits.unit;
  device_.with_queue([&](DeviceQueue& queue) {
    for (std::size_t row = 0; row < in.rows;) {
      context.check_stop();
      const std::size_t some = std::min(rows, in.rows - row);
      try {
        body(in.rows_range(row, some), out.rows_range(row, some), queue);
      } catch (const MemoryError&) {
        if (some == 1) throw;
        rows = some / 2;  // others may have taken the memory
        continue;
      }
      row += some;
    }
  });
}

}  // namespace semblance::gpu
