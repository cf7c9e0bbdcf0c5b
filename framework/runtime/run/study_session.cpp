// SPDX-License-Identifier: MIT
#include "runtime/run/study_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "pipeline/node_identity.hpp"
#include "runtime/workers/shared_run.hpp"

namespace semblance {

StudySession::StudySession(const Study& study, const Catalogue& catalogue,
                           const RunOptions& options, bool fail_fast)
    : errors(study.variants.size()),
      study_(study),
      catalogue_(catalogue),
      options_(options),
      fail_fast_(fail_fast),
      taken_(study.variants.size(), 1) {}

void StudySession::prepare(bool shares_work) {
  shares_work_ = shares_work;
  for (;;) {
    try {
      open();
      return report_failures();
    } catch (const NodeError& error) {
      if (fail_fast_) throw;
      leave_out(error);
    }
  }
}

void StudySession::open() {
  session.reset();
  merged = merge(study_, taken_, catalogue_);
  RunPurpose purpose{.keeps_states = false};
  purpose.shares_work = shares_work_;
  if (options_.shared) purpose.failures = options_.shared->failures();
  if (!fail_fast_)
    purpose.on_failure = [this](std::size_t node, const std::string& message) {
      note_failure(node, message);
    };
  session = std::make_unique<Session>(merged.pipeline, catalogue_, options_, std::move(purpose));
  session->journal().call_nodes(merged.words);
  session->execute([&] { session->prepare(); });
}

void StudySession::leave_out(std::size_t v, const std::string& message) {
  taken_[v] = 0;
  errors[v] = message;
}

void StudySession::leave_out(const NodeError& error) {
  auto alike = std::ranges::find(failures_, error.problem(), &Failure::problem);
  if (alike == failures_.end())
    alike = failures_.insert(alike, {error.problem(), error.what(), {}});
  for (const std::size_t v : users_of_data(error.node())) {
    taken_[v] = 0;
    errors[v] = error.what();
    alike->variants.push_back(v);
  }
  if (std::ranges::count(taken_, 1) > 0) return;
  std::string all;
  for (const Failure& failure : failures_) all += (all.empty() ? "" : "\n") + told(failure);
  throw Error(all);
}

std::string StudySession::told(const Failure& failure) const {
  return failure.message + "\n" + describe(failure.variants);
}

void StudySession::report_failures() {
  for (const Failure& failure : failures_) tell(options_, LogLevel::info, told(failure));
  failures_.clear();
}

void StudySession::note_failure(std::size_t node, const std::string& message) {
  const auto concerned = users(node);
  session->journal().log(LogLevel::warning, message + "; " + describe(concerned));
  for (const std::size_t v : concerned)
    if (errors[v].empty()) errors[v] = message;
}

std::vector<std::size_t> StudySession::users(std::size_t node) const {
  std::vector<std::size_t> found;
  for (std::size_t v = 0; v < merged.places.size(); ++v)
    if (std::ranges::find(merged.places[v], node) != merged.places[v].end()) found.push_back(v);
  return found;
}

std::vector<std::size_t> StudySession::users_of_data(std::size_t node) const {
  const auto& nodes = merged.pipeline.nodes;
  if (nodes[node].fold.count == 0) return users(node);
  std::set<std::size_t> found;
  const std::string data = data_identity(nodes[node], catalogue_);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].fold.count > 0 && data_identity(nodes[i], catalogue_) == data)
      for (const std::size_t v : users(i)) found.insert(v);
  return {found.begin(), found.end()};
}

std::string StudySession::describe(const std::vector<std::size_t>& variants) const {
  std::set<std::size_t> concerned, all, sound;
  for (std::size_t v = 0; v < errors.size(); ++v) {
    const std::size_t counted = study_.counts_repeats ? v : study_.variants[v].combination;
    const bool fails = std::ranges::find(variants, v) != variants.end();
    all.insert(counted);
    if (fails) concerned.insert(counted);
    if (!fails && errors[v].empty()) sound.insert(counted);
  }
  return fmt::format("{} of {} variants fail{} with it, first '{}'; {}", concerned.size(),
                     all.size(), concerned.size() == 1 ? "s" : "",
                     study_.variants[variants.front()].name,
                     sound.empty() ? "no variant can run" : "the others continue");
}

}  // namespace semblance
