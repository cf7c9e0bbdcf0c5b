// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/services/node_error.hpp"
#include "runtime/session/session.hpp"
#include "study/merge.hpp"
#include "study/study.hpp"

namespace semblance {

/// The variants of a study that can run, as one graph in one session.
class StudySession {
 public:
  StudySession(const Study& study, const Catalogue& catalogue, const RunOptions& options,
               bool fail_fast);

  /// Excludes variant v before prepare(): it has failed already.
  void leave_out(std::size_t v, const std::string& message);

  /// Merges, compiles and plans. Variants with a node that cannot be prepared are excluded; with
  /// `fail_fast` their NodeError is thrown. Throws Error when no variant remains. With
  /// `shares_work`, as one of several workers: see RunPurpose.
  void prepare(bool shares_work = false);

  MergedStudy merged;
  std::unique_ptr<Session> session;
  std::vector<std::string> errors;  ///< one per variant; empty: none

 private:
  /// Sources that failed alike, and their variants.
  struct Failure {
    std::string problem;
    std::string message;  ///< of the first
    std::vector<std::size_t> variants;
  };
  void open();
  std::string told(const Failure& failure) const;
  void report_failures();
  void leave_out(const NodeError& error);
  void note_failure(std::size_t node, const std::string& message);
  std::vector<std::size_t> users(std::size_t node) const;
  /// The same; for a source that gives a fold, the users of all folds of its data, which fail
  /// alike.
  std::vector<std::size_t> users_of_data(std::size_t node) const;
  std::string describe(const std::vector<std::size_t>& variants) const;

  const Study& study_;
  const Catalogue& catalogue_;
  const RunOptions& options_;
  const bool fail_fast_;
  bool shares_work_ = false;
  std::vector<char> taken_;
  std::vector<Failure> failures_;
};

}  // namespace semblance
