// SPDX-License-Identifier: MIT
#include "runtime/explain/explainer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/explain/shares.hpp"
#include "runtime/graph/scoring_node.hpp"
#include "semblance/decision_values.hpp"
#include "semblance/predicted_class.hpp"
#include "semblance/solver.hpp"
#include "support/did_you_mean.hpp"

namespace semblance {
namespace {

/// How far a sum of terms may be from the machine's value, which was summed in another order and
/// partly in float32, as a share of the terms' magnitudes.
constexpr double most_rounding = 4e-6;

std::string described(const NodeFacts& node) {
  return "'" + node.name() + "' (" + node.spec->component.id + ")";
}

bool learns(const Compilation& graph, std::size_t i) {
  return dynamic_cast<const Learner*>(graph.node(i).parts.at(0).get()) != nullptr;
}

std::size_t index_of(const std::string& name, const std::vector<std::string>& names,
                     const std::string& what) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string hint = did_you_mean(name, names);
  throw Error("the model has no " + what + " '" + name + "'" +
              (hint.empty() ? "; it has " + enumerate(names) : "; " + hint));
}

/// The strongest class but one.
std::size_t best_other(std::span<const float> scores, std::size_t but) {
  std::size_t best = but == 0 ? 1 : 0;
  for (std::size_t c = 0; c < scores.size(); ++c)
    if (c != but && scores[c] > scores[best]) best = c;
  return best;
}

}  // namespace

std::size_t machine_before(const Compilation& graph, std::size_t node) {
  std::size_t i = node;
  while (!learns(graph, i)) {
    if (!graph.node(i).scoring())
      throw Error("node " + described(graph.facts(node)) + " scores no samples; name a solver");
    i = graph.facts(i).inputs.front();
  }
  return i;
}

std::size_t explained_machine(const Compilation& graph, const std::string& name) {
  std::vector<std::string> names, solvers;
  std::size_t found = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const NodeFacts& node = graph.facts(i);
    if (node.spec->held_out) continue;
    names.push_back(node.name());
    if (node.name() == name) return machine_before(graph, i);
    if (!graph.node(i).scoring() || !learns(graph, i)) continue;
    solvers.push_back(node.name());
    found = i;
  }
  if (!name.empty()) index_of(name, names, "node");
  if (solvers.empty())
    throw Error("the model has no solver of samples, so there is nothing to explain");
  if (solvers.size() > 1)
    throw Error("the model has several solvers, " + enumerate(solvers) + ": name one");
  return found;
}

double Explainer::Question::of(std::span<const double> values) const {
  double sum = 0;
  for (const auto& [function, factor] : functions) sum += factor * values[function];
  return sum;
}

Explainer::Explainer(RunProgress& progress, RunData& data, std::size_t machine,
                     ExplainOptions options, MatrixView rows, MatrixView background,
                     const std::atomic<bool>* cancel)
    : progress_(progress),
      data_(data),
      machine_(machine),
      options_(std::move(options)),
      rows_(rows),
      background_(background),
      values_(progress, data, machine, cancel) {
  check_machine();
  try {
    sum_ = score_sum(progress_, machine_, [&](std::size_t node) {
      return values_.columns_with_values(node, {rows_, background_});
    });
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& problem) {
    no_sum_ = problem.what();
    const PortType gives = progress_.facts(machine_).spec->info().output->type;
    const NodeFacts& machine = progress_.facts(machine_);
    const std::size_t functions =
        gives == PortType::intervals ? estimate_columns(machine).size() : machine.output.size();
    sum_.machine = machine_;
    sum_.biases.assign(functions, 0);
    for (std::size_t c = 0; c < functions && gives == PortType::scores; ++c)
      sum_.opposed.push_back({static_cast<std::int32_t>(c), Opposed::rest});
  }
}

void Explainer::check_machine() const {
  const NodeFacts& node = progress_.facts(machine_);
  const PortType gives = node.spec->info().output->type;
  const bool numbers = gives == PortType::estimates || gives == PortType::intervals;
  if (gives != PortType::scores && !numbers && gives != PortType::novelty)
    throw Error("node " + described(node) +
                " gives a sample neither class scores nor estimates nor a novelty score, and only "
                "these are explained");
  if (!progress_.run(machine_).ready())
    throw Error("node " + described(node) + " has not learned, as its run was stopped before");
  if (!options_.of_class.empty() && gives != PortType::scores)
    throw Error("node " + described(node) + " has no classes, so there is no class '" +
                options_.of_class + "' to explain");
  if (!options_.target.empty() && !numbers)
    throw Error("node " + described(node) + " predicts no numbers, so there is no target '" +
                options_.target + "' to explain");
}

/// Neither an infinite score nor a NaN is a sum, or has shares.
void Explainer::check_finite(double value) const {
  if (!std::isfinite(value))
    throw Error("node " + described(progress_.facts(machine_)) +
                " gives a sample, or one with parts of another, a score that is not finite, which "
                "cannot be explained");
}

/// One number among several: which is explained.
Explainer::Question Explainer::question(std::span<const float> scores, Explanation& made) const {
  const PortType gives = progress_.facts(machine_).spec->info().output->type;
  if (gives == PortType::scores) return class_question(scores, made);
  if (gives == PortType::novelty) {
    made.explained = "score";
    return {{{0, 1.0}}};
  }
  const auto& targets = outline().targets;
  if (options_.target.empty() && targets.size() > 1)
    throw Error("the model predicts several numbers, " + enumerate(targets) +
                ": say which one is to be explained (--target NAME; in Python target=)");
  const std::size_t t = options_.target.empty() ? 0 : index_of(options_.target, targets, "target");
  made.explained = targets.at(t);
  return {{{t, 1.0}}};
}

Explainer::Question Explainer::class_question(std::span<const float> scores,
                                              Explanation& made) const {
  const auto& classes = outline().classes;
  const auto predicted = static_cast<std::size_t>(predicted_class(scores));
  made.predicted = classes.at(predicted);
  const std::size_t own =
      options_.of_class.empty() ? predicted : index_of(options_.of_class, classes, "class");
  const std::size_t other = best_other(scores, own);
  made.explained = classes.at(own);
  made.against = classes.at(other);
  Question question;
  for (std::size_t f = 0; f < sum_.opposed.size(); ++f) {
    const Opposed& pair = sum_.opposed[f];
    const auto first = static_cast<std::size_t>(pair.first);
    if (pair.second == Opposed::rest) {
      if (first == own) question.functions.push_back({f, 1.0});
      if (first == other) question.functions.push_back({f, -1.0});
      made.difference = true;
      continue;
    }
    const auto second = static_cast<std::size_t>(pair.second);
    if (first == own && second == other) question.functions.push_back({f, 1.0});
    if (first == other && second == own) question.functions.push_back({f, -1.0});
  }
  return question;
}

double Explainer::weight(const Question& question, std::size_t term) const {
  double sum = 0;
  for (const auto& [function, factor] : question.functions)
    sum += factor * sum_.weights[function * sum_.terms + term];
  return sum;
}

/// A kernel machine's coefficients are those of its dual problem, whose sign is the class, where
/// its kernel needed no repair.
std::string Explainer::class_of(std::size_t term) const {
  if (!sum_.kernel || !sum_.parts.front().similarity->positive_semidefinite()) return "";
  for (std::size_t f = 0; f < sum_.opposed.size(); ++f) {
    const double w = sum_.weights[f * sum_.terms + term];
    const std::int32_t own = w > 0 ? sum_.opposed[f].first : sum_.opposed[f].second;
    if (w != 0 && own >= 0) return outline().classes.at(static_cast<std::size_t>(own));
  }
  return "";
}

ExampleTerm Explainer::example(const SummedTerms& part, std::size_t basis) const {
  ExampleTerm made;
  made.map = progress_.facts(part.node).name();
  made.basis = basis;
  made.of_class = class_of(part.first + basis);
  if (sum_.kernel) {
    const auto rows = progress_.node(part.node).as<DecisionValues>().vector_rows();
    if (basis < rows.size()) made.row = rows[basis];
    return made;
  }
  const auto& bases = progress_.facts(part.node).bases;
  if (!bases) return made;
  const auto chosen = progress_.node(*bases).chosen_rows();
  if (basis < chosen.size()) made.row = chosen[basis];
  return made;
}

/// `own` is the machine's value.
void Explainer::add_terms(std::span<const float> terms, double own, const Question& question,
                          Explanation& made) const {
  made.bias = question.of(sum_.biases);
  double sum = made.bias, scale = std::abs(made.bias);
  for (const SummedTerms& part : sum_.parts)
    for (std::size_t b = 0; b < part.count; ++b) {
      const double w = weight(question, part.first + b), value = terms[part.first + b];
      sum += w * value;
      scale += std::abs(w * value);
      if (w == 0 || !part.similarity) continue;
      ExampleTerm term = example(part, b);
      term.similarity = value;
      term.weight = w;
      term.contribution = w * value;
      made.examples.push_back(std::move(term));
    }
  std::ranges::stable_sort(made.examples, [](const ExampleTerm& a, const ExampleTerm& b) {
    return std::abs(a.contribution) > std::abs(b.contribution);
  });
  made.rounding = std::abs(sum - own);
  if (!(made.rounding <= most_rounding * scale))
    throw Error("the terms of node " + described(progress_.facts(machine_)) + " add up to " +
                std::to_string(sum) + ", but it gives " + std::to_string(own) +
                "; they are not shown, as they do not explain its value");
  made.value = sum;
}

std::vector<Explanation> Explainer::explain() const {
  const MatrixView rows = rows_, background = background_;
  std::vector<Explanation> made(rows.rows);
  if (rows.rows == 0) return made;
  std::vector<Question> questions;
  const FloatMatrix scores = values_.scores(rows);
  for (std::size_t i = 0; i < rows.rows; ++i)
    questions.push_back(question(scores.view().row_span(i), made[i]));
  const std::vector<double> functions = values_.functions(sum_, rows);
  const FloatMatrix terms = values_.terms(sum_, rows);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const double own =
        questions[i].of(std::span(functions).subspan(i * sum_.functions(), sum_.functions()));
    check_finite(own);
    if (no_sum_.empty())
      add_terms(terms.view().row_span(i), own, questions[i], made[i]);
    else
      made[i].value = own;
  }
  const Layout& layout = progress_.facts(progress_.facts(machine_).spec->origin).output;
  const std::string why = why_not_exact(), no_parts = why_no_parts(layout);
  std::string none;
  if (!options_.shares)
    none = "they were not wanted";
  else if (background.rows == 0)
    none = "there are no other samples to compare with";
  else if (!why.empty() && !no_parts.empty())
    none = no_parts;
  const bool examples =
      std::ranges::any_of(sum_.parts, [](const SummedTerms& part) { return part.similarity; });
  if (!none.empty() && !examples && options_.shares)
    throw Error(
        "node " + described(progress_.facts(machine_)) + " cannot be explained: " +
        (no_sum_.empty() ? "" : "its output is no sum over examples (" + no_sum_ + "), and ") +
        "no columns have shares, as " + none +
        ". Kernel machines, and linear machines on a map of similarities or on columns, "
        "can be explained for any samples; other machines for vectors, images, grids, "
        "series and strings");
  for (Explanation& each : made) {
    each.no_shares = none;
    each.background = none.empty() ? background.rows : 0;
  }
  if (!none.empty()) return made;
  if (!why.empty()) {
    add_sampled(questions, made);
    return made;
  }
  const FloatMatrix others = values_.terms(sum_, background);
  std::vector<double> mean(sum_.terms);
  for (std::size_t r = 0; r < others.rows; ++r)
    for (std::size_t t = 0; t < sum_.terms; ++t)
      mean[t] += double{others.view().row(r)[t]} / static_cast<double>(others.rows);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    made[i].method = ShareMethod::exact;
    made[i].expected = made[i].bias;
    for (std::size_t t = 0; t < sum_.terms; ++t)
      made[i].expected += weight(questions[i], t) * mean[t];
  }
  add_exact(questions, made);
  check_sum_of_shares(terms.view(), mean, questions, made);
  return made;
}

}  // namespace semblance
