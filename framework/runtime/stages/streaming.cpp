// SPDX-License-Identifier: MIT
#include "runtime/stages/streaming.hpp"

#include <oneapi/tbb/concurrent_queue.h>
#include <oneapi/tbb/flow_graph.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>

#include "semblance/error.hpp"

namespace semblance {
namespace {

namespace flow = tbb::flow;

struct Block {
  std::size_t first = 0;
  std::size_t count = 0;
  std::vector<std::atomic<int>> waiting;  ///< inputs that have not arrived, one entry per step,
                                          ///< then sinks
  std::vector<MatrixView> outputs;
  std::vector<std::unique_ptr<FloatMatrix>> buffers;

  Block(RowSpan rows, std::size_t steps)
      : first(rows.first), count(rows.count), waiting(steps + 1), outputs(steps), buffers(steps) {}
};

using Gate = flow::multifunction_node<Block*, std::tuple<Block*>>;

/// Reuses buffers of finished blocks.
class BufferPool {
 public:
  explicit BufferPool(std::size_t steps) : free_(steps) {}
  std::unique_ptr<FloatMatrix> take(std::size_t step) {
    std::unique_ptr<FloatMatrix> buffer;
    if (!free_[step].try_pop(buffer)) buffer = std::make_unique<FloatMatrix>();
    return buffer;
  }
  void give(std::size_t step, std::unique_ptr<FloatMatrix> buffer) {
    free_[step].push(std::move(buffer));
  }

 private:
  std::vector<tbb::concurrent_queue<std::unique_ptr<FloatMatrix>>> free_;
};

std::vector<RowSpan> cut(const Stage& stage) {
  std::vector<RowSpan> blocks;
  const auto cut_piece = [&](std::size_t first, std::size_t last) {
    while (first < last) {
      std::size_t end = std::min(first + streaming_rows, last);
      if (first < stage.boundary) end = std::min(end, stage.boundary);
      blocks.push_back({first, end - first});
      first = end;
    }
  };
  if (!stage.pieces) {
    cut_piece(stage.rows.first, stage.rows.end());
    return blocks;
  }
  for (const RowSpan piece : *stage.pieces)
    cut_piece(std::max(piece.first, stage.rows.first), std::min(piece.end(), stage.rows.end()));
  return blocks;
}

/// The work on each block, independent of scheduling.
class BlockWork {
 public:
  BlockWork(const Stage& stage, StageServices& services)
      : stage_(stage), services_(services), blocks_(cut(stage)), pool_(stage.steps.size()) {}

 protected:
  bool stopped() const {
    return failed_.load(std::memory_order_relaxed) ||
           services_.run.stop.reason() != StopReason::none;
  }

  /// Call it when all blocks are done, or no more are begun.
  void end() const {
    if (failure_) std::rethrow_exception(failure_);
    if (finished_ != blocks_.size()) throw Cancelled();
  }

  void work(std::size_t s, Block& block) {
    const auto& step = stage_.steps[s];
    if (block.first < step.rows.first || block.first >= step.rows.end()) return;
    try {
      services_.guard(step.node, [&] { compute(s, block); });
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      failed_ = true;
    }
  }

  void compute(std::size_t s, Block& block) {
    const auto& step = stage_.steps[s];
    if (const MatrixView there = rows_in_place(step, block.first, block.count); there.data) {
      block.outputs[s] = there;
      return;
    }
    Span span(services_.trace, step.label, block.first);
    MutableMatrixView out;
    if (step.destination) {
      out = step.destination(block.first, block.count);
    } else {
      block.buffers[s] = pool_.take(s);
      step.sizes.shape(*block.buffers[s], block.first, block.count);
      out = block.buffers[s]->view();
    }
    std::vector<MatrixView> inputs;
    inputs.reserve(step.inputs.size());
    for (const std::size_t i : step.inputs) inputs.push_back(block.outputs[i]);
    step.compute(block.first, inputs, out);
    block.outputs[s] = out;
    services_.worked(step, std::chrono::duration<double>(span.end()).count(), block.count);
  }

  void finish(Block& block) {
    for (std::size_t s = 0; s < stage_.steps.size(); ++s) {
      const auto& step = stage_.steps[s];
      const bool inside = block.first >= step.rows.first && block.first < step.rows.end();
      if (step.done && inside) step.done(block.first, block.count);
      if (block.buffers[s]) pool_.give(s, std::move(block.buffers[s]));
    }
    if (!stopped()) ++finished_;
  }

  const Stage& stage_;
  StageServices& services_;
  const std::vector<RowSpan> blocks_;

 private:
  BufferPool pool_;
  std::atomic<std::size_t> finished_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::exception_ptr failure_;
};

/// Processes one block after another on the calling thread, where there is no other thread or
/// waiting for one is not allowed.
class SingleThread : BlockWork {
 public:
  using BlockWork::BlockWork;

  void run() {
    for (const RowSpan rows : blocks_) {
      if (stopped()) break;
      Block block(rows, stage_.steps.size());
      for (std::size_t s = 0; s < stage_.steps.size() && !stopped(); ++s) work(s, block);
      finish(block);
    }
    end();
  }
};

/// Processes several blocks at a time through a flow graph.
class StageRun : BlockWork {
 public:
  StageRun(const Stage& stage, StageServices& services) : BlockWork(stage, services) {
    for (const auto& step : stage.steps)
      for (const std::size_t input : step.inputs) is_input_.insert(is_input_.end(), input);
  }

  void run() {
    build();
    input_->activate();
    graph_.wait_for_all();
    end();
  }

 private:
  std::size_t blocks_under_way() const {
    return services_.run.blocks > 0 ? services_.run.blocks : 2 * services_.run.threads;
  }

  /// A node is a gate that opens when all its inputs have arrived for a block. The limiter feeds
  /// the leaves; outputs without readers feed the sink, which lets the next block in.
  void build() {
    input_ = std::make_unique<flow::input_node<Block*>>(
        graph_, [this](tbb::flow_control& control) { return next(control); });
    limiter_ = std::make_unique<flow::limiter_node<Block*>>(graph_, blocks_under_way());
    flow::make_edge(*input_, *limiter_);
    for (std::size_t s = 0; s < stage_.steps.size(); ++s) add_gate(s);
    sink_ = std::make_unique<flow::multifunction_node<Block*, std::tuple<flow::continue_msg>>>(
        graph_, flow::unlimited, [this](Block* block, auto& ports) {
          if (--block->waiting.back() > 0) return;
          finish(*block);
          delete block;
          std::get<0>(ports).try_put(flow::continue_msg());
        });
    flow::make_edge(flow::output_port<0>(*sink_), limiter_->decrementer());
    for (std::size_t s = 0; s < stage_.steps.size(); ++s)
      if (std::ranges::find(is_input_, s) == is_input_.end())
        flow::make_edge(flow::output_port<0>(*gates_[s]), *sink_);
  }

  void add_gate(std::size_t s) {
    gates_.push_back(std::make_unique<Gate>(
        graph_, flow::unlimited, [this, s](Block* block, Gate::output_ports_type& ports) {
          if (--block->waiting[s] > 0) return;
          if (!stopped()) work(s, *block);
          std::get<0>(ports).try_put(block);
        }));
    const auto& inputs = stage_.steps[s].inputs;
    if (inputs.empty()) flow::make_edge(*limiter_, *gates_[s]);
    for (const std::size_t input : inputs)
      flow::make_edge(flow::output_port<0>(*gates_[input]), *gates_[s]);
  }

  Block* next(tbb::flow_control& control) {
    if (next_ == blocks_.size() || stopped()) {
      control.stop();
      return nullptr;
    }
    auto* block = new Block(blocks_[next_++], stage_.steps.size());
    int sinks = 0;
    for (std::size_t s = 0; s < stage_.steps.size(); ++s) {
      block->waiting[s] = std::max<int>(1, static_cast<int>(stage_.steps[s].inputs.size()));
      sinks += std::ranges::find(is_input_, s) == is_input_.end();
    }
    block->waiting.back() = sinks;
    return block;
  }

  std::vector<std::size_t> is_input_;

  flow::graph graph_;
  std::unique_ptr<flow::input_node<Block*>> input_;
  std::unique_ptr<flow::limiter_node<Block*>> limiter_;
  std::vector<std::unique_ptr<Gate>> gates_;
  std::unique_ptr<flow::multifunction_node<Block*, std::tuple<flow::continue_msg>>> sink_;

  std::size_t next_ = 0;
};

}  // namespace

void stream(const Stage& stage, StageServices& services) {
  if (usable_threads(services.run.threads) == 1) return SingleThread(stage, services).run();
  services.run.arena.execute([&] { StageRun(stage, services).run(); });
}

}  // namespace semblance
