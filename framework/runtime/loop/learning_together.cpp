// SPDX-License-Identifier: MIT
#include "runtime/loop/learning_together.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <string>

#include "report/metrics.hpp"
#include "runtime/graph/scoring_node.hpp"
#include "runtime/ranks/exchange.hpp"
#include "runtime/stages/node_row_sizes.hpp"
#include "runtime/stages/pulled_rows.hpp"
#include "runtime/stages/row_content.hpp"
#include "support/files/temporary_folder.hpp"
#include "support/json_text.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;

/// The start of a message, before its parts: a record as JSON, then a folder.
std::string message_of(const RunProgress& progress, std::size_t i) {
  const Node& node = progress.node(i);
  const TemporaryFolder folder;
  if (node.facts().has_state()) node.save(folder.path());
  if (const ScoringNode* solver = node.scoring()) solver->save_results(progress, folder.path());
  const std::string record = report_to_json(progress.run(i).record).dump();
  return std::to_string(record.size()) + "\n" + record + packed(folder.path());
}

void take(RunProgress& progress, RunData& data, std::size_t i, const std::string& message) {
  Node& node = progress.node(i);
  const std::size_t line = message.find('\n');
  const std::size_t size = std::stoull(message.substr(0, line));
  report_from_json(parse_json(message.substr(line + 1, size)), progress.run(i).record);
  const TemporaryFolder folder;
  unpack(message.substr(line + 1 + size), folder.path());
  if (node.facts().has_state()) {
    NodeContext context = progress.context(i);
    node.load(folder.path(), context);
  }
  if (ScoringNode* solver = node.scoring()) solver->load_results(progress, data, folder.path());
}

/// All rows that a node reads while it learns, on the first rank.
class Gathered {
 public:
  Gathered(RunProgress& progress, RunData& data, std::size_t i)
      : progress_(progress), data_(data), node_(progress.node(i)) {
    if (node_.facts().demands.learns_from == RowsOf::none || !node_.facts().judged.empty()) return;
    if (ScoringNode* solver = node_.scoring()) {
      const RowSpan span = rows_learned_from(node_.facts());
      solver->training =
          rows_on_first(progress.ranks(), data.memory(), *progress.facts(i).outline,
                        *solver->training, span, joined_sizes(progress, data, node_.facts(), span));
      return;
    }
    for (const std::size_t input : node_.facts().inputs) {
      const RowSpan span{0, node_.facts().outline->train_rows};
      const auto own = training_rows(progress, data, input);
      progress.run(input).gathered =
          rows_on_first(progress.ranks(), data.memory(), *progress.facts(i).outline, *own, span,
                        row_sizes(progress, data, input).of_rows(span.first, span.count));
    }
  }
  ~Gathered() {
    for (const std::size_t input : node_.facts().inputs) progress_.run(input).gathered.reset();
    if (ScoringNode* solver = node_.scoring()) solver->training.reset();
  }
  Gathered(const Gathered&) = delete;
  Gathered& operator=(const Gathered&) = delete;

 private:
  RunProgress& progress_;
  RunData& data_;
  Node& node_;
};

/// One rank learns; the other ranks wait for the result.
void learn_on_first(RunProgress& progress, RunData& data, std::size_t i) {
  Ranks& ranks = progress.ranks();
  if (const NodeFacts& facts = progress.facts(i);
      facts.judged.empty() && facts.demands.learns_from != RowsOf::none)
    progress.journal().log(LogLevel::info, facts.name() + ": learns on the first rank");
  const Gathered gathered(progress, data, i);
  std::string message;
  if (ranks.first()) {
    progress.node(i).learn(progress, data);
    message = message_of(progress, i);
  }
  message = ranks.from_first(std::move(message));
  if (!ranks.first()) take(progress, data, i, message);
}

}  // namespace

namespace {

/// Before each block its sender says whether it has it: a failing rank must not leave the first
/// rank waiting.
constexpr char block_follows = 1, sender_failed = 0;

void send_block(Ranks& ranks, const Rows& rows, std::size_t first, std::size_t count) {
  const auto say = [&](char what) {
    ranks.transport().send(0, std::as_bytes(std::span(&what, 1)));
  };
  FloatMatrix block;
  try {
    // Without gaps between rows.
    block = FloatMatrix(rows.view(first, count));
    rows.release(first, count);
  } catch (...) {
    say(sender_failed);
    throw;
  }
  say(block_follows);
  ranks.transport().send(0, std::as_bytes(std::span(block.values)));
  if (block.is_sparse) ranks.transport().send(0, std::as_bytes(std::span(block.columns)));
  ranks.count_rows_sent(block.values.size() * sizeof(float) +
                        block.columns.size() * sizeof(std::uint32_t));
}

/// False: the rank has failed and sends nothing more.
bool receive_block(Ranks& ranks, std::size_t rank, MutableMatrixView rows, std::size_t values) {
  char what = sender_failed;
  ranks.transport().receive(rank, std::as_writable_bytes(std::span(&what, 1)));
  if (what == sender_failed) return false;
  ranks.transport().receive(rank, std::as_writable_bytes(std::span(rows.row(0), values)));
  if (rows.sparse())
    ranks.transport().receive(rank,
                              std::as_writable_bytes(std::span(rows.columns_of(0).data(), values)));
  return true;
}

void copy_block(const Rows& rows, std::size_t first, std::size_t count, MutableMatrixView to) {
  copy_rows(rows.view(first, count), to);
  rows.release(first, count);
}

}  // namespace

std::shared_ptr<KeptRows> rows_on_first(Ranks& ranks, RowMemory& memory, const Outline& outline,
                                        const Rows& rows, RowSpan span, const RowSizes& sizes) {
  std::shared_ptr<KeptRows> all;
  if (ranks.first()) all = memory.keep(span.count, sizes);
  ranks.meet();
  const auto each_block = [&](std::size_t rank, const auto& body) {
    for (const RowSpan own : ranks.rows_of(rank, span, outline.train_rows, outline.rows()))
      for (std::size_t row = own.first; row < own.end(); row += block_rows)
        body(row - span.first, std::min(block_rows, own.end() - row));
  };
  if (!ranks.first()) {
    each_block(ranks.rank(), [&](std::size_t first, std::size_t count) {
      send_block(ranks, rows, first, count);
    });
    return nullptr;
  }
  // Even if a rank fails, this one included, receives from all other ranks: they send until they
  // are done.
  std::exception_ptr failure;
  bool all_sent = true;
  for (std::size_t rank = 0; rank < ranks.count(); ++rank) {
    bool sends = true;
    each_block(rank, [&](std::size_t first, std::size_t count) {
      if (!sends) return;
      const MutableMatrixView to = all->writable(first, count);
      if (rank > 0) {
        sends = receive_block(ranks, rank, to, sizes.values(first, count));
      } else {
        try {
          copy_block(rows, first, count, to);
        } catch (...) {
          failure = std::current_exception();
          sends = false;
        }
      }
      all->release(first, count);
    });
    all_sent = all_sent && sends;
  }
  if (failure) std::rethrow_exception(failure);
  // The rank reports its failure there.
  if (!all_sent) ranks.meet();
  return all;
}

void give_scores_to_first(RunProgress& progress, RunData& data, std::size_t i, RowSpan span) {
  NodeRun& run = progress.run(i);
  if (const auto all = rows_on_first(progress.ranks(), data.memory(), *progress.facts(i).outline,
                                     *run.rows, span, run.rows->sizes()))
    run.rows = all;
  // The time that all ranks have taken for all rows.
  const std::vector<std::int64_t> own = {run.predict_nanoseconds.load()};
  std::int64_t together = 0;
  for (const std::int64_t each : progress.ranks().collectives().gather(own)) together += each;
  run.predict_nanoseconds = together;
  run.rows_predicted = span.count;
}

void learn_together(RunProgress& progress, RunData& data, std::size_t i) {
  Node& node = progress.node(i);
  // It scores pairs of any samples as soon as it has learned.
  if (const ScoringNode* solver = node.scoring(); solver && solver->tested_pairs())
    share_row_content(progress, data, i);
  if (node.facts().learns_where == LearnsWhere::first_rank)
    return learn_on_first(progress, data, i);
  progress.set_learning_together(i);
  try {
    node.learn(progress, data);
  } catch (...) {
    progress.set_learning_together(std::nullopt);
    throw;
  }
  progress.set_learning_together(std::nullopt);
}

}  // namespace semblance
