// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <mutex>
#include <string>

#include "serve/answers.hpp"
#include "serve/http/http.hpp"
#include "serve/media_type.hpp"
#include "serve/score_queue.hpp"
#include "serve/served_model.hpp"

namespace semblance::serving {

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
