// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "problem/linear_task.hpp"
#include "semblance/checkpoint.hpp"
#include "semblance/collectives.hpp"

namespace semblance::linear {

/// The state of a training to be saved, gathered from all ranks before the first one writes it. The
/// other ranks discard it at once.
class CheckpointWriter {
 public:
  explicit CheckpointWriter(Context& context) : context_(context) {}

  void integer(const std::string& name, std::size_t value);
  void number(const std::string& name, double value);
  void doubles(const std::string& name, std::vector<double> values);
  void indices(const std::string& name, std::span<const std::size_t> values);
  void vectors(const std::string& name, const Vectors<double>& values);
  void solution(const std::string& name, const Solution& solution);
  void solutions(const std::string& name, const std::vector<Solution>& solutions);
  /// Values of each rank's own rows, saved for all rows. Collective.
  void by_row(const std::string& name, const std::vector<double>& own);
  void rows(const std::string& name, const std::vector<std::size_t>& own);
  /// Values of one rank, of a size known to all. Collective.
  void of_rank(std::size_t rank, const std::string& name, std::vector<double> values);

  Context& context() const noexcept { return context_; }
  bool writes() const noexcept { return context_.collectives().rank() == 0; }
  void write(StateWriter& state) const;

 private:
  using Entry = std::variant<std::int64_t, double, std::vector<double>, std::vector<std::int64_t>>;
  void put(const std::string& name, Entry entry);

  Context& context_;
  std::vector<std::pair<std::string, Entry>> entries_;
};

/// Reads the output of CheckpointWriter, the same on all ranks; throws Error if it does not fit.
class CheckpointReader {
 public:
  explicit CheckpointReader(const StateReader& state) : state_(state) {}

  std::size_t integer(const std::string& name) const;
  double number(const std::string& name) const { return state_.number(name); }
  std::vector<double> doubles(const std::string& name, std::size_t count) const;
  std::vector<double> doubles(const std::string& name) const { return state_.doubles(name); }
  /// Each below `end`.
  std::vector<std::size_t> indices(const std::string& name, std::size_t end) const;
  Vectors<double> vectors(const std::string& name, std::size_t count, std::size_t cols) const;
  Solution solution(const std::string& name, std::size_t problems, std::size_t cols) const;
  /// Fewer than `end`.
  std::vector<Solution> solutions(const std::string& name, std::size_t end, std::size_t problems,
                                  std::size_t cols) const;
  /// For the own rows, as passed to CheckpointWriter::rows().
  std::vector<std::size_t> rows(const std::string& name, const OwnParts& own) const;

 private:
  const StateReader& state_;
};

/// The saved state does not fit the training to be resumed. Not an Error, so that it is not
/// mistaken for an error of the training.
class DoesNotFit : public std::exception {
 public:
  explicit DoesNotFit(std::string why) : why_(std::move(why)) {}
  const char* what() const noexcept override { return why_.c_str(); }

 private:
  std::string why_;
};

/// The checkpoints of a training with nested parts: batches of problems, the costs of a path,
/// Newton steps. The saved state has the data of each part; a resumed training enters the same
/// parts, and each reads its own data.
class Checkpoints {
 public:
  explicit Checkpoints(Context& context);

  /// A part of the training, during the object's lifetime.
  class Part {
   public:
    /// `save` writes the state of the part, under its own names. Collective.
    Part(Checkpoints& checkpoints, std::function<void(CheckpointWriter&)> save);
    ~Part();
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

   private:
    Checkpoints& checkpoints_;
  };

  /// Call it at the end of a step: saves everything if a checkpoint is due. `bytes` returns about
  /// what that needs on this rank, `room` is the available memory. Collective.
  void step_done(const std::function<std::size_t()>& bytes, std::size_t room);

  /// Whether an entered part resumes from the saved state.
  bool resuming() const noexcept { return saved_ != nullptr; }

  /// Calls `read` with the saved state; throws DoesNotFit if it throws Error.
  void restore(const std::function<void(const CheckpointReader&)>& read) const;

  /// The innermost part has resumed: from here on, everything is new. Also if nothing fits.
  void resumed() noexcept { saved_ = nullptr; }

 private:
  Context& context_;
  Checkpoint& checkpoint_;
  const StateReader* saved_;
  std::vector<std::function<void(CheckpointWriter&)>> parts_;
  bool reported_ = false;
};

}  // namespace semblance::linear
