// SPDX-License-Identifier: MIT
#include "runtime/explain/score_sum.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "runtime/explain/affine_form.hpp"
#include "semblance/error.hpp"

namespace semblance {
namespace {

/// Appends one component for all inputs side by side, or one for each.
Formula::Value written(const Node& node, const std::vector<Formula::Value>& inputs,
                       Formula& formula) {
  if (node.parts.size() == 1)
    return write_part(*node.parts[0], "it", formula, formula.concatenate(inputs));
  if (node.parts.size() != inputs.size()) throw Error("it cannot be written as a formula");
  std::vector<Formula::Value> values;
  for (std::size_t p = 0; p < inputs.size(); ++p)
    values.push_back(write_part(*node.parts[p], "it", formula, inputs[p]));
  return formula.concatenate(values);
}

bool is_sparse(const RunProgress& progress, std::size_t node) {
  return progress.facts(node).output.kind == LayoutKind::sparse;
}

/// The rows of a node as an affine form of its inputs' rows side by side; nothing where they are
/// not.
std::optional<AffineForm> form_of(const RunProgress& progress, std::size_t i) {
  const auto& nodes = progress.facts(i).inputs;
  const auto ragged = [&](std::size_t in) {
    return progress.facts(in).output.ragged() && !is_sparse(progress, in);
  };
  if (nodes.empty() || std::ranges::any_of(nodes, ragged)) return std::nullopt;
  try {
    Formula formula;
    // One column of sparse rows shows the form of all.
    if (is_sparse(progress, nodes.front())) {
      const auto first = formula.input({0}, progress.facts(nodes.front()).output.size());
      return affine_form(formula, written(progress.node(i), {first}, formula));
    }
    std::vector<Formula::Value> inputs;
    const auto all = formula.input(joined_width(progress.facts(i), progress.graph()));
    std::size_t first = 0;
    for (const std::size_t in : nodes) {
      std::vector<std::size_t> columns(progress.facts(in).output.size());
      std::iota(columns.begin(), columns.end(), first);
      first += columns.size();
      inputs.push_back(formula.gather(all, std::move(columns)));
    }
    return affine_form(formula, written(progress.node(i), inputs, formula));
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Walks back from a machine that is linear in its inputs, through all that is affine, to the
/// terms.
class LinearSum {
 public:
  LinearSum(const RunProgress& progress, std::size_t machine, const ColumnsWithValues& columns)
      : progress_(progress), columns_(columns) {
    sum_.machine = machine;
    for (const std::size_t in : progress.facts(machine).inputs) find_terms(in);
  }

  ScoreSum found() {
    Formula formula;
    const SummedTerms& front = sum_.parts.front();
    // Sparse rows are a machine's only input.
    const auto all = front.columns.empty()
                         ? formula.input(sum_.terms)
                         : formula.input(front.columns, progress_.facts(front.node).output.size());
    for (const SummedTerms& part : sum_.parts) {
      if (!part.columns.empty()) {
        values_[part.node] = all;
        continue;
      }
      std::vector<std::size_t> columns(part.count);
      std::iota(columns.begin(), columns.end(), part.first);
      values_[part.node] = formula.gather(all, std::move(columns));
    }
    Formula::Value value = value_of(sum_.machine, formula);
    const NodeFacts& machine = progress_.facts(sum_.machine);
    if (machine.spec->info().output->type == PortType::intervals)
      value = formula.gather(value, estimate_columns(machine));
    const AffineForm form = affine_form(formula, value);
    sum_.biases = form.offsets;
    sum_.weights = matrix_of(form);
    return std::move(sum_);
  }

 private:
  void find_terms(std::size_t i) {
    if (!seen_.insert({i, 0}).second) return;
    const NodeFacts& node = progress_.facts(i);
    const auto* similarity = dynamic_cast<const Similarity*>(progress_.node(i).parts.at(0).get());
    if (!similarity && !node.is_source() && form_of(progress_, i)) {
      for (const std::size_t in : node.inputs) find_terms(in);
      return;
    }
    SummedTerms part{i, similarity, similarity ? node.inputs : std::vector<std::size_t>{i},
                     sum_.terms, node.output.size()};
    if (is_sparse(progress_, i)) {
      part.columns = columns_(i);
      part.count = part.columns.size();
    }
    sum_.terms += part.count;
    sum_.parts.push_back(std::move(part));
  }

  Formula::Value value_of(std::size_t i, Formula& formula) {
    const auto known = values_.find(i);
    if (known != values_.end()) return known->second;
    std::vector<Formula::Value> inputs;
    for (const std::size_t in : progress_.facts(i).inputs) inputs.push_back(value_of(in, formula));
    return values_[i] = written(progress_.node(i), inputs, formula);
  }

  const RunProgress& progress_;
  const ColumnsWithValues& columns_;
  ScoreSum sum_;
  std::map<std::size_t, char> seen_;
  std::map<std::size_t, Formula::Value> values_;
};

/// Two classes with opposite scores have one function, whose positive values speak for the first.
void join_opposite_scores(ScoreSum& sum) {
  const std::size_t n = sum.terms;
  bool opposite = sum.functions() == 2 && sum.biases[0] == -sum.biases[1];
  for (std::size_t t = 0; opposite && t < n; ++t) opposite = sum.weights[t] == -sum.weights[n + t];
  if (opposite) {
    sum.biases.resize(1);
    sum.weights.resize(n);
    sum.opposed = {{0, 1}};
    return;
  }
  for (std::size_t c = 0; c < sum.functions(); ++c)
    sum.opposed.push_back({static_cast<std::int32_t>(c), Opposed::rest});
}

ScoreSum kernel_sum(const RunProgress& progress, std::size_t machine, const DecisionValues& sums) {
  ScoreSum sum;
  sum.machine = machine;
  sum.kernel = true;
  const auto biases = sums.sum_biases();
  sum.biases.assign(biases.begin(), biases.end());
  sum.terms = sums.sum_kernel().bases();
  sum.parts.push_back({machine, &sums.sum_kernel(), progress.facts(machine).inputs, 0, sum.terms});
  for (std::size_t f = 0; f < sum.functions(); ++f) {
    const std::vector<double> own = sums.sum_coefficients(f);
    sum.weights.insert(sum.weights.end(), own.begin(), own.end());
  }
  sum.opposed = sums.opposed_classes();
  return sum;
}

}  // namespace

std::vector<std::size_t> estimate_columns(const NodeFacts& machine) {
  std::vector<std::size_t> columns;
  for (std::size_t c = 1; c < machine.output.size(); c += 3) columns.push_back(c);
  return columns;
}

ScoreSum score_sum(const RunProgress& progress, std::size_t machine,
                   const ColumnsWithValues& columns) {
  const Component& part = *progress.node(machine).parts.at(0);
  if (const auto* sums = dynamic_cast<const DecisionValues*>(&part))
    return kernel_sum(progress, machine, *sums);
  ScoreSum sum = LinearSum(progress, machine, columns).found();
  if (progress.facts(machine).spec->info().output->type == PortType::scores)
    join_opposite_scores(sum);
  return sum;
}

bool keeps_columns(const RunProgress& progress, std::size_t node) {
  const NodeFacts& facts = progress.facts(node);
  if (facts.is_source()) return true;
  const std::optional<AffineForm> form = form_of(progress, node);
  return form && form->keeps_places() && facts.inputs.size() == 1 &&
         keeps_columns(progress, facts.inputs.front());
}

}  // namespace semblance
