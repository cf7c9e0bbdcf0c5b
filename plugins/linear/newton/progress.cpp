// SPDX-License-Identifier: MIT
#include "newton/progress.hpp"

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

void Notes::put(const std::string& name, Entry entry) {
  if (writes()) entries_.emplace_back(name, std::move(entry));
}

void Notes::integer(const std::string& name, std::size_t value) {
  put(name, static_cast<std::int64_t>(value));
}

void Notes::number(const std::string& name, double value) { put(name, value); }

void Notes::doubles(const std::string& name, std::vector<double> values) {
  put(name, std::move(values));
}

void Notes::indices(const std::string& name, std::span<const std::size_t> values) {
  put(name, std::vector<std::int64_t>(values.begin(), values.end()));
}

void Notes::vectors(const std::string& name, const Vectors<double>& values) {
  if (writes()) put(name, flat(values));
}

void Notes::solution(const std::string& name, const Solution& solution) {
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
}

void Notes::solutions(const std::string& name, const std::vector<Solution>& solutions) {
  integer(name + "_count", solutions.size());
  for (std::size_t i = 0; i < solutions.size(); ++i)
    solution(name + "_" + std::to_string(i), solutions[i]);
}

void Notes::by_row(const std::string& name, const std::vector<double>& own) {
  put(name, context_.collectives().gather(own));
}

void Notes::rows(const std::string& name, const std::vector<std::size_t>& own) {
  indices(name, context_.collectives().gather(own));
}

void Notes::of_rank(std::size_t rank, const std::string& name, std::vector<double> values) {
  context_.collectives().broadcast(rank, std::as_writable_bytes(std::span(values)));
  put(name, std::move(values));
}

void Notes::write(StateWriter& state) const {
  for (const auto& [name, entry] : entries_) {
    if (const auto* integer = std::get_if<std::int64_t>(&entry)) state.integer(name, *integer);
    if (const auto* number = std::get_if<double>(&entry)) state.number(name, *number);
    if (const auto* values = std::get_if<std::vector<double>>(&entry)) state.doubles(name, *values);
    if (const auto* values = std::get_if<std::vector<std::int64_t>>(&entry))
      state.integers(name, *values);
  }
}

std::size_t NotesReader::integer(const std::string& name) const {
  const std::int64_t value = state_.integer(name);
  if (value < 0) refuse(name);
  return static_cast<std::size_t>(value);
}

std::vector<double> NotesReader::doubles(const std::string& name, std::size_t count) const {
  std::vector<double> values = state_.doubles(name);
  if (values.size() != count) refuse(name);
  return values;
}

std::vector<std::size_t> NotesReader::indices(const std::string& name, std::size_t end) const {
  const std::vector<std::int64_t> values = state_.integers(name);
  if (std::ranges::any_of(
          values, [&](std::int64_t v) { return v < 0 || static_cast<std::size_t>(v) >= end; }))
    refuse(name);
  return {values.begin(), values.end()};
}

Vectors<double> NotesReader::vectors(const std::string& name, std::size_t count,
                                     std::size_t cols) const {
  const std::vector<double> values = doubles(name, count * cols);
  Vectors<double> vectors(count, cols);
  for (std::size_t i = 0; i < count; ++i)
    std::copy_n(values.data() + i * cols, cols, vectors.row(i));
  return vectors;
}

Solution NotesReader::solution(const std::string& name, std::size_t problems,
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
  return solution;
}

std::vector<Solution> NotesReader::solutions(const std::string& name, std::size_t end,
                                             std::size_t problems, std::size_t cols) const {
  const std::size_t count = integer(name + "_count");
  if (count >= end) refuse(name);
  std::vector<Solution> solutions;
  solutions.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    solutions.push_back(solution(name + "_" + std::to_string(i), problems, cols));
  return solutions;
}

std::vector<std::size_t> NotesReader::rows(const std::string& name, const OwnParts& own) const {
  std::vector<std::size_t> rows;
  for (const std::int64_t value : state_.integers(name)) {
    const auto row = static_cast<std::size_t>(value);
    if (row >= own.first_row && row < own.end_row()) rows.push_back(row);
  }
  return rows;
}

Progress::Progress(Context& context)
    : context_(context), checkpoint_(context.checkpoint()), kept_(checkpoint_.kept()) {}

Progress::Part::Part(Progress& progress, std::function<void(Notes&)> note) : progress_(progress) {
  progress_.parts_.push_back(std::move(note));
}

Progress::Part::~Part() { progress_.parts_.pop_back(); }

void Progress::go_on(const std::function<void(const NotesReader&)>& read) const {
  try {
    read(NotesReader(*kept_));
  } catch (const Error& problem) {
    throw DoesNotFit(problem.what());
  }
}

void Progress::step_done(const std::function<std::size_t()>& bytes, std::size_t room) {
  if (!checkpoint_.due()) return;
  const std::size_t needed = bytes();
  if (!context_.collectives().all(needed <= std::max(room, always_room))) {
    if (!told_)
      context_.log(LogLevel::info, "its progress is not saved: that takes " +
                                       std::to_string((needed >> 20) + 1) +
                                       " MiB, more than the memory budget leaves");
    told_ = true;
    return;
  }
  Notes notes(context_);
  for (const auto& note : parts_) note(notes);
  checkpoint_.keep([&](StateWriter& state) { notes.write(state); });
}

}  // namespace semblance::linear
