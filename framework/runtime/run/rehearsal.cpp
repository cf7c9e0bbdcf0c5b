// SPDX-License-Identifier: MIT
#include "runtime/run/rehearsal.hpp"

#include <time.h>

#include <algorithm>

#include "runtime/nodes/pairs_node.hpp"
#include "runtime/stages/streaming.hpp"
#include "semblance/component.hpp"
#include "semblance/random.hpp"
#include "semblance/sized_by_content.hpp"

namespace semblance {
namespace {

/// A block is computed repeatedly for at least this long, and at least this often.
constexpr double least_seconds = 0.02;
constexpr int least_times = 3;

/// The processor time of this thread: other work of the machine does not count.
double processor_seconds() {
  timespec now = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The time of a call, after a first one has warmed the caches.
template <class Call>
double usual_seconds(const Call& call) {
  call();
  const double begin = processor_seconds();
  int times = 0;
  while (times < least_times || processor_seconds() - begin < least_seconds) {
    call();
    ++times;
  }
  return (processor_seconds() - begin) / times;
}

/// Acts as one process that learns alone, on one thread, while it lives.
class OneThread {
 public:
  explicit OneThread(RunServices& services) : services_(services), before_(services.threads) {
    services_.threads = 1;
  }
  ~OneThread() { services_.threads = before_; }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  RunServices& services_;
  std::size_t before_;
};

class Rehearsal {
 public:
  explicit Rehearsal(RunProgress& progress, RunData& data)
      : progress_(progress), data_(data), rows_(progress.size()), rates_(progress.size()) {}

  std::vector<NodeRates> all() {
    const OneThread alone(progress_.services());
    for (std::size_t i = 0; i < progress_.size(); ++i) {
      const Node& node = progress_.node(i);
      try {
        if (node.facts().pairs) take_pairs(i);
        if (!node.facts().gives_rows() || node.scoring()) continue;
        node.facts().is_source() ? take_source(i) : take(i);
      } catch (const Cancelled&) {
        throw;
      } catch (const std::exception&) {
        // It cannot be tried with a few rows: neither it nor the nodes that follow are known.
        rows_[i].reset();
        rates_[i] = {};
      }
    }
    return std::move(rates_);
  }

 private:
  void take_source(std::size_t i) {
    const NodeFacts& node = progress_.facts(i);
    const std::size_t count = std::min(streaming_rows, node.outline->rows());
    if (count == 0) return;
    if (expected_bytes(node, node.outline->rows()) <= rehearsed_data_bytes) {
      const Dataset& dataset = data_.dataset(i);
      std::vector<std::size_t> sizes(count);
      for (std::size_t r = 0; r < count; ++r) sizes[r] = dataset.values(r);
      rows_[i] = room_for(node.output, sizes);
      const MutableMatrixView out = rows_[i]->view();
      rates_[i].row = usual_seconds([&] { dataset.read(0, out); }) / static_cast<double>(count);
      return;
    }
    if (node.output.ragged()) return;
    rows_[i].emplace(count, node.output.size());
    const double most = node.output.kind == LayoutKind::image ? 255 : 1;
    Random random(1);
    for (float& value : rows_[i]->values) value = static_cast<float>(most * random.uniform());
  }

  void take_pairs(std::size_t i) {
    if (!data_.opened(i).dataset) return;
    const PairsNode& chooser = progress_.graph().node_as<PairsNode>(*progress_.facts(i).pairs);
    rates_[i].pairs =
        chooser.choose(progress_, data_, progress_.facts(i).outline->train_rows).train.size();
  }

  void take(std::size_t i) {
    Node& node = progress_.node(i);
    std::vector<MatrixView> inputs;
    inputs.reserve(node.facts().inputs.size());
    for (const std::size_t input : node.facts().inputs) {
      if (!rows_[input]) return;
      inputs.push_back(static_cast<const FloatMatrix&>(*rows_[input]).view());
    }
    const auto count = static_cast<double>(inputs.front().rows);
    const double begin = processor_seconds();
    const std::size_t columns = node.rehearse(progress_, inputs);
    const double learned = processor_seconds() - begin;
    FloatMatrix out = node.facts().output.ragged()
                          ? room_for(node.facts().output, sizes_of(node, inputs.front()))
                          : FloatMatrix(inputs.front().rows, columns);
    const MutableMatrixView view = out.view();
    const double seconds = usual_seconds([&] {
      NodeContext context = progress_.context(i);
      node.compute(0, inputs, view, context);
    });
    const double share =
        static_cast<double>(columns) / static_cast<double>(node.facts().output.size());
    rates_[i].row = seconds / share / count;
    if (node.facts().demands.learns_from == RowsOf::training)
      rates_[i].learned_row = learned / count;
    rows_[i] = widened(std::move(out), node.facts().output.size());
  }

  static std::vector<std::size_t> sizes_of(const Node& node, MatrixView from) {
    std::vector<std::size_t> sizes(from.rows);
    if (const auto* by_content = dynamic_cast<const SizedByContent*>(&node.as<Transform>())) {
      by_content->count_values(from, sizes);
      return sizes;
    }
    for (std::size_t r = 0; r < from.rows; ++r)
      sizes[r] = node.as<Transform>().values_of(from.size(r));
    return sizes;
  }

  /// Widens to the node's true number of columns by repeating the existing ones.
  static FloatMatrix widened(FloatMatrix rows, std::size_t columns) {
    if (rows.cols == columns) return rows;
    FloatMatrix all(rows.rows, columns);
    for (std::size_t r = 0; r < rows.rows; ++r)
      for (std::size_t c = 0; c < columns; ++c)
        all.values[r * columns + c] = rows.values[r * rows.cols + c % rows.cols];
    return all;
  }

  RunProgress& progress_;
  RunData& data_;
  std::vector<std::optional<FloatMatrix>> rows_;
  std::vector<NodeRates> rates_;
};

}  // namespace

std::vector<NodeRates> rehearse(RunProgress& progress, RunData& data) {
  return Rehearsal(progress, data).all();
}

}  // namespace semblance
