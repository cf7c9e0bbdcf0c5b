// SPDX-License-Identifier: MIT
#include <algorithm>
#include <exception>

#include "semblance/samples.hpp"
#include "serve/service.hpp"

namespace semblance::serving {
namespace {

constexpr std::size_t most_piece = 1024;  ///< rows of one request in a batch
constexpr std::size_t most_batch = 4096;  ///< rows of a batch

}  // namespace

/// Shared by the thread that waits for it and the one that computes it: either may leave first.
struct ScoreQueue::Request {
  Request(GivenRows given, std::size_t classes)
      : rows(std::move(given)), scores(rows.rows(), classes) {}

  const GivenRows rows;
  FloatMatrix scores;
  std::size_t taken = 0;     ///< rows that are or were in a batch
  std::size_t computed = 0;  ///< rows
  bool abandoned = false;
  std::exception_ptr failure;
  std::condition_variable done;

  bool finished() const { return failure || computed == rows.rows(); }
};

ScoreQueue::ScoreQueue(Score score, const Layout& layout, std::size_t classes,
                       std::size_t most_waiting)
    : score_(std::move(score)), classes_(classes), most_waiting_(most_waiting), batch_(layout) {
  thread_ = std::thread([this] { work(); });
}

ScoreQueue::~ScoreQueue() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  arrived_.notify_one();
  thread_.join();
}

FloatMatrix ScoreQueue::score(GivenRows rows, Clock::time_point end) {
  if (rows.rows() == 0) return {0, classes_};
  const auto request = std::make_shared<Request>(std::move(rows), classes_);
  std::unique_lock lock(mutex_);
  if (waiting_.size() >= most_waiting_)
    throw QueueFull(std::to_string(waiting_.size()) +
                    " requests wait already; try again in a second");
  waiting_.push_back(request);
  arrived_.notify_one();
  if (!request->done.wait_until(lock, end, [&] { return request->finished(); })) {
    request->abandoned = true;
    throw TooLate("the rows were not scored in time; send fewer at a time, or try again later");
  }
  if (request->failure) std::rethrow_exception(request->failure);
  return std::move(request->scores);
}

ScoreQueue::Counts ScoreQueue::counts() const {
  const std::lock_guard lock(mutex_);
  Counts now = counts_;
  now.waiting = waiting_.size();
  return now;
}

void ScoreQueue::work() {
  for (;;) {
    const std::vector<Piece> pieces = next_batch();
    if (pieces.empty()) return;
    compute(pieces);
    finish(pieces);
  }
}

/// Waits for rows; empty at the end.
std::vector<ScoreQueue::Piece> ScoreQueue::next_batch() {
  std::unique_lock lock(mutex_);
  for (;;) {
    arrived_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
    std::erase_if(waiting_, [](const auto& request) { return request->abandoned; });
    if (!waiting_.empty()) break;
    if (ending_) return {};
  }
  std::vector<Piece> pieces;
  std::size_t rows = 0;
  for (const auto& request : waiting_) {
    const std::size_t left = request->rows.rows() - request->taken;
    const std::size_t count = std::min({left, most_piece, most_batch - rows});
    if (count == 0) break;
    pieces.push_back({request, request->taken, count});
    request->taken += count;
    rows += count;
  }
  std::erase_if(waiting_,
                [](const auto& request) { return request->taken == request->rows.rows(); });
  counts_.batches += 1;
  counts_.rows += rows;
  return pieces;
}

/// Rows of a single request are scored in place.
void ScoreQueue::compute(const std::vector<Piece>& pieces) {
  if (pieces.size() == 1) {
    compute_alone(pieces.front());
    return;
  }
  batch_.clear();
  for (const Piece& piece : pieces) batch_.add(piece.request->rows, piece.first, piece.count);
  results_.rows = batch_.rows();
  results_.cols = classes_;
  results_.values.resize(results_.rows * classes_);
  try {
    score_(batch_.view(), results_.view());
  } catch (...) {
    // Finds the rows at fault, so that other requests do not suffer.
    for (const Piece& piece : pieces) compute_alone(piece);
    return;
  }
  std::size_t first = 0;
  for (const Piece& piece : pieces) {
    copy_rows(std::as_const(results_).view().rows_range(first, piece.count),
              piece.request->scores.view().rows_range(piece.first, piece.count));
    first += piece.count;
  }
}

void ScoreQueue::compute_alone(const Piece& piece) {
  try {
    score_(piece.request->rows.view().rows_range(piece.first, piece.count),
           piece.request->scores.view().rows_range(piece.first, piece.count));
  } catch (...) {
    const std::lock_guard lock(mutex_);
    piece.request->failure = std::current_exception();
    piece.request->abandoned = true;
  }
}

void ScoreQueue::finish(const std::vector<Piece>& pieces) {
  const std::lock_guard lock(mutex_);
  for (const Piece& piece : pieces) {
    piece.request->computed += piece.count;
    if (piece.request->finished()) piece.request->done.notify_one();
  }
}

}  // namespace semblance::serving
