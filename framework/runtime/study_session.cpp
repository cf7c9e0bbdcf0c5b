// SPDX-License-Identifier: MIT
#include "runtime/study_session.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace semblance {

StudySession::StudySession(const Study& study, const Catalogue& catalogue,
                           const RunOptions& options, bool fail_fast)
    : errors(study.variants.size()),
      study_(study),
      catalogue_(catalogue),
      options_(options),
      fail_fast_(fail_fast),
      taken_(study.variants.size(), 1) {}

void StudySession::prepare() {
  for (;;) {
    try {
      return open();
    } catch (const NodeError& error) {
      if (fail_fast_) throw;
      leave_out(error);
    }
  }
}

void StudySession::open() {
  session.reset();
  merged = merge(study_, taken_, catalogue_);
  session = std::make_unique<Session>(merged.pipeline, catalogue_, options_);
  session->keeps_states = false;
  session->arena.execute([&] { session->prepare(); });
  if (!fail_fast_)
    session->on_failure = [this](std::size_t node, const std::string& message) {
      note_failure(node, message);
    };
}

void StudySession::leave_out(std::size_t v, const std::string& message) {
  taken_[v] = 0;
  errors[v] = message;
}

void StudySession::leave_out(const NodeError& error) {
  const auto concerned = users(error.node());
  fmt::print(stderr, "{}\n{}\n", error.what(), describe(concerned));
  for (const std::size_t v : concerned) {
    taken_[v] = 0;
    errors[v] = error.what();
  }
  if (std::ranges::count(taken_, 1) == 0)
    throw Error("no variant of the study can be run; the messages above say why");
}

void StudySession::note_failure(std::size_t node, const std::string& message) {
  const auto concerned = users(node);
  session->log(LogLevel::warning, message + "; " + describe(concerned));
  for (const std::size_t v : concerned)
    if (errors[v].empty()) errors[v] = message;
}

std::vector<std::size_t> StudySession::users(std::size_t node) const {
  std::vector<std::size_t> found;
  for (std::size_t v = 0; v < merged.places.size(); ++v)
    if (std::ranges::find(merged.places[v], node) != merged.places[v].end()) found.push_back(v);
  return found;
}

std::string StudySession::describe(const std::vector<std::size_t>& variants) const {
  return fmt::format("{} of {} variants fail{} with it, first '{}'; the others go on",
                     variants.size(), study_.variants.size(), variants.size() == 1 ? "s" : "",
                     study_.variants[variants.front()].name);
}

}  // namespace semblance
