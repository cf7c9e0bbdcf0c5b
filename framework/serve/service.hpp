// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "semblance/state.hpp"
#include "serve/answers.hpp"
#include "serve/http/http.hpp"
#include "serve/media_type.hpp"
#include "serve/rows/given_rows.hpp"
#include "serve/served_model.hpp"

namespace semblance::serving {

/// Too many requests wait already.
class QueueFull : public Error {
 public:
  using Error::Error;
};

/// A request's time is over.
class TooLate : public Error {
 public:
  using Error::Error;
};

/// Scores the rows of many requests: one thread takes all waiting rows as one batch, and the model
/// distributes the batch over its threads. A batch does not wait to be filled. A row's scores do
/// not depend on its batch. Large requests are split, so that small ones do not wait for all of
/// their rows.
class ScoreQueue {
 public:
  using Clock = std::chrono::steady_clock;
  using Score = std::function<void(MatrixView rows, MutableMatrixView scores)>;

  struct Counts {
    std::uint64_t batches = 0, rows = 0;
    std::size_t waiting = 0;
  };

  /// `classes`: scores per row; `most_waiting`: requests.
  ScoreQueue(Score score, const Layout& layout, std::size_t classes, std::size_t most_waiting);
  /// Scores waiting rows, and ends.
  ~ScoreQueue();
  ScoreQueue(const ScoreQueue&) = delete;
  ScoreQueue& operator=(const ScoreQueue&) = delete;

  /// The scores of these rows. Throws QueueFull immediately, TooLate at `end`, or what scoring
  /// throws. Thread-safe.
  FloatMatrix score(GivenRows rows, Clock::time_point end);

  Counts counts() const;

 private:
  struct Request;
  struct Piece {
    std::shared_ptr<Request> request;
    std::size_t first = 0, count = 0;
  };

  void work();
  std::vector<Piece> next_batch();
  void compute(const std::vector<Piece>& pieces);
  void compute_alone(const Piece& piece);
  void finish(const std::vector<Piece>& pieces);

  Score score_;
  std::size_t classes_;
  std::size_t most_waiting_;
  GivenRows batch_;      ///< of the working thread
  FloatMatrix results_;  ///< also of the working thread
  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::shared_ptr<Request>> waiting_;
  Counts counts_;
  bool ending_ = false;
  std::thread thread_;
};

struct ServiceLimits {
  std::size_t rows = 10'000;       ///< of a request
  std::size_t bytes = 16U << 20U;  ///< of a body
  std::size_t waiting = 128;       ///< requests whose rows wait to be scored
};

/// The answers of a server of one model: GET /, /health and /model, POST /predict.
class Service final : public HttpHandler {
 public:
  /// `only_local`: it is reachable only from this machine, so only names of this machine are valid
  /// hosts.
  Service(const ServedModel& model, const ServiceLimits& limits, bool only_local);

  std::optional<HttpAnswer> without_body(const HttpRequest& request) override;
  HttpAnswer with_body(HttpRequest&& request) override;
  void refused() override { ++refused_; }

  /// "12 requests answered, 3 refused"
  std::string summary() const;

 private:
  std::optional<HttpAnswer> looked_at(const HttpRequest& request) const;
  std::optional<HttpAnswer> refuse_body(const HttpRequest& request) const;
  HttpAnswer predicted(HttpRequest&& request);
  GivenRows rows_of(const HttpRequest& request) const;
  HttpAnswer in_form(Form form, MatrixView scores) const;
  HttpAnswer explained(MatrixView scores, const GivenRows& rows, std::size_t nearest,
                       HttpClock::time_point end);
  std::string predictions_head() const;
  HttpAnswer health() const;
  HttpAnswer basis(const HttpRequest& request) const;
  HttpAnswer counted(HttpAnswer answer);

  const ServedModel& model_;
  ServiceLimits limits_;
  bool only_local_;
  Answers answers_;
  std::string description_;
  HttpClock::time_point started_ = HttpClock::now();
  std::atomic<std::uint64_t> answered_ = 0, refused_ = 0;
  std::timed_mutex explaining_;  ///< nearest bases are searched for one request at a time
  ScoreQueue queue_;
};

}  // namespace semblance::serving
