// SPDX-License-Identifier: MIT
#include "newton/checkpoints.hpp"

#include <algorithm>

namespace semblance::linear {
namespace {

// The state of a training up to this size always fits.
constexpr std::size_t always_room = std::size_t{16} << 20;

std::vector<double> flat(const Vectors<double>& vectors) {
  std::vector<double> all;
  all.reserve(vectors.count() * vectors.cols());
  for (std::size_t i = 0; i < vectors.count(); ++i)
    all.insert(all.end(), vectors.row(i), vectors.row(i) + vectors.cols());
  return all;
}

[[noreturn]] void refuse(const std::string& name) {
  throw Error("'" + name + "' has a different size than in this training");
}

}  // namespace

void CheckpointWriter::put(const std::string& name, Entry entry) {
  if (writes()) entries_.emplace_back(name, std::move(entry));
}

void CheckpointWriter::integer(const std::string& name, std::size_t value) {
  put(name, static_cast<std::int64_t>(value));
}

void CheckpointWriter::number(const std::string& name, double value) { put(name, value); }

void CheckpointWriter::doubles(const std::string& name, std::vector<double> values) {
  put(name, std::move(values));
}

void CheckpointWriter::indices(const std::string& name, std::span<const std::size_t> values) {
  put(name, std::vector<std::int64_t>(values.begin(), values.end()));
}

void CheckpointWriter::vectors(const std::string& name, const Vectors<double>& values) {
  if (writes()) put(name, flat(values));
}

void CheckpointWriter::solution(const std::string& name, const Solution& solution) {
  vectors(name + "_weights", solution.weights);
  std::vector<double> outcomes;
  outcomes.reserve(3 * solution.outcomes.size());
  for (const Outcome& o : solution.outcomes)
    for (const double value : {o.primal, o.dual, o.gradient_norm}) outcomes.push_back(value);
  doubles(name + "_outcomes", std::move(outcomes));
  integer(name + "_certificate", static_cast<std::size_t>(solution.certificate));
  indices(name + "_stalled", solution.stalled);
  integer(name + "_iterations", solution.iterations);
  number(name + "_sweeps", solution.sweeps);
  doubles(name + "_objectives", solution.objectives);
  doubles(name + "_start_norms", solution.start_norms);
  doubles(name + "_convergence", numerics::numbers_of(solution.convergence.points()));
}

void CheckpointWriter::solutions(const std::string& name, const std::vector<Solution>& solutions) {
  integer(name + "_count", solutions.size());
  for (std::size_t i = 0; i < solutions.size(); ++i)
    solution(name + "_" + std::to_string(i), solutions[i]);
}

void CheckpointWriter::by_row(const std::string& name, const std::vector<double>& own) {
  put(name, context_.collectives().gather(own));
}

void CheckpointWriter::rows(const std::string& name, const std::vector<std::size_t>& own) {
  indices(name, context_.collectives().gather(own));
}

void CheckpointWriter::of_rank(std::size_t rank, const std::string& name,
                               std::vector<double> values) {
  context_.collectives().broadcast(rank, std::as_writable_bytes(std::span(values)));
  put(name, std::move(values));
}

void CheckpointWriter::write(StateWriter& state) const {
  for (const auto& [name, entry] : entries_) {
    if (const auto* integer = std::get_if<std::int64_t>(&entry)) state.integer(name, *integer);
    if (const auto* number = std::get_if<double>(&entry)) state.number(name, *number);
    if (const auto* values = std::get_if<std::vector<double>>(&entry)) state.doubles(name, *values);
    if (const auto* values = std::get_if<std::vector<std::int64_t>>(&entry))
      state.integers(name, *values);
  }
}

std::size_t CheckpointReader::integer(const std::string& name) const {
  const std::int64_t value = state_.integer(name);
  if (value < 0) refuse(name);
  return static_cast<std::size_t>(value);
}

std::vector<double> CheckpointReader::doubles(const std::string& name, std::size_t count) const {
  std::vector<double> values = state_.doubles(name);
  if (values.size() != count) refuse(name);
  return values;
}

std::vector<std::size_t> CheckpointReader::indices(const std::string& name, std::size_t end) const {
  const std::vector<std::int64_t> values = state_.integers(name);
  if (std::ranges::any_of(
          values, [&](std::int64_t v) { return v < 0 || static_cast<std::size_t>(v) >= end; }))
    refuse(name);
  return {values.begin(), values.end()};
}

Vectors<double> CheckpointReader::vectors(const std::string& name, std::size_t count,
                                          std::size_t cols) const {
  const std::vector<double> values = doubles(name, count * cols);
  Vectors<double> vectors(count, cols);
  for (std::size_t i = 0; i < count; ++i)
    std::copy_n(values.data() + i * cols, cols, vectors.row(i));
  return vectors;
}

Solution CheckpointReader::solution(const std::string& name, std::size_t problems,
                                    std::size_t cols) const {
  Solution solution;
  solution.weights = vectors(name + "_weights", problems, cols);
  const std::vector<double> outcomes = doubles(name + "_outcomes", 3 * problems);
  for (std::size_t c = 0; c < problems; ++c)
    solution.outcomes.push_back({outcomes[3 * c], outcomes[3 * c + 1], outcomes[3 * c + 2]});
  solution.certificate = static_cast<Certificate>(integer(name + "_certificate"));
  solution.stalled = indices(name + "_stalled", problems);
  solution.iterations = integer(name + "_iterations");
  solution.sweeps = number(name + "_sweeps");
  solution.objectives = doubles(name + "_objectives");
  solution.start_norms = doubles(name + "_start_norms");
  if (!solution.start_norms.empty() && solution.start_norms.size() != problems)
    refuse(name + "_start_norms");
  solution.convergence.resume(numerics::points_of(doubles(name + "_convergence")));
  return solution;
}

std::vector<Solution> CheckpointReader::solutions(const std::string& name, std::size_t end,
                                                  std::size_t problems, std::size_t cols) const {
  const std::size_t count = integer(name + "_count");
  if (count >= end) refuse(name);
  std::vector<Solution> solutions;
  solutions.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    solutions.push_back(solution(name + "_" + std::to_string(i), problems, cols));
  return solutions;
}

std::vector<std::size_t> CheckpointReader::rows(const std::string& name,
                                                const OwnParts& own) const {
  std::vector<std::size_t> rows;
  for (const std::int64_t value : state_.integers(name)) {
    const auto row = static_cast<std::size_t>(value);
    if (row >= own.first_row && row < own.end_row()) rows.push_back(row);
  }
  return rows;
}

Checkpoints::Checkpoints(Context& context)
    : context_(context), checkpoint_(context.checkpoint()), saved_(checkpoint_.kept()) {}

Checkpoints::Part::Part(Checkpoints& checkpoints, std::function<void(CheckpointWriter&)> save)
    : checkpoints_(checkpoints) {
  checkpoints_.parts_.push_back(std::move(save));
}

Checkpoints::Part::~Part() { checkpoints_.parts_.pop_back(); }

void Checkpoints::restore(const std::function<void(const CheckpointReader&)>& read) const {
  try {
    read(CheckpointReader(*saved_));
  } catch (const Error& problem) {
    throw DoesNotFit(problem.what());
  }
}

void Checkpoints::step_done(const std::function<std::size_t()>& bytes, std::size_t room) {
  if (!checkpoint_.due()) return;
  const std::size_t needed = bytes();
  if (!context_.collectives().all(needed <= std::max(room, always_room))) {
    if (!reported_)
      context_.log(LogLevel::info, "its progress is not saved: that takes " +
                                       std::to_string((needed >> 20) + 1) +
                                       " MiB, more than the memory budget leaves");
    reported_ = true;
    return;
  }
  CheckpointWriter writer(context_);
  for (const auto& save : parts_) save(writer);
  checkpoint_.keep([&](StateWriter& state) { writer.write(state); });
}

}  // namespace semblance::linear
