// SPDX-License-Identifier: MIT
#include <libsvm/svm.h>
#include <linear.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "export/library_programs.hpp"
#include "semblance/error.hpp"
#include "semblance/plugin.hpp"
#include "semblance/predicted_class.hpp"

namespace semblance {
namespace {

template <class Node>
void fill_nodes(MatrixView rows, std::size_t i, double bias, std::vector<Node>& nodes) {
  nodes.clear();
  for (std::size_t c = 0; c < rows.cols; ++c)
    if (rows.row(i)[c] != 0) nodes.push_back({static_cast<int>(c + 1), double{rows.row(i)[c]}});
  if (bias > 0) nodes.push_back({static_cast<int>(rows.cols + 1), bias});
  nodes.push_back({-1, 0});
}

std::size_t class_of_label(const std::vector<int>& labels, double label) {
  const auto found = std::ranges::find(labels, static_cast<int>(label));
  if (found == labels.end())
    throw Error("the library predicts a class that the model does not have");
  return static_cast<std::size_t>(found - labels.begin());
}

/// The number that `predict` gives for each row.
template <class Predict>
ExportedScores estimates(MatrixView rows, const Predict& predict) {
  ExportedScores result{std::vector<std::int32_t>(rows.rows), FloatMatrix(rows.rows, 1)};
  for (std::size_t i = 0; i < rows.rows; ++i)
    result.scores.view().row(i)[0] = static_cast<float>(predict(i));
  return result;
}

class LibsvmProgram final : public LibraryProgram {
 public:
  LibsvmProgram(const std::string& file, std::vector<int> labels,
                SupportVectorMachine::Scores scores)
      : labels_(std::move(labels)), rule_(scores) {
    model_.reset(svm_load_model(file.c_str()));
    if (!model_) throw Error("LIBSVM does not read the exported model");
    if (!labels_.empty() && static_cast<std::size_t>(model_->nr_class) != labels_.size())
      throw Error("LIBSVM reads the exported model with a different number of classes");
  }

  ExportedScores scores(MatrixView rows) override {
    const std::size_t n = labels_.size();
    std::vector<svm_node> nodes;
    if (n == 0)
      return estimates(rows, [&](std::size_t i) {
        double value = 0;  // not the decision of a one-class machine
        fill_nodes(rows, i, 0, nodes);
        svm_predict_values(model_.get(), nodes.data(), &value);
        return value;
      });
    ExportedScores result{{}, FloatMatrix(rows.rows, n)};
    std::vector<double> decisions(n * (n - 1) / 2);
    for (std::size_t i = 0; i < rows.rows; ++i) {
      fill_nodes(rows, i, 0, nodes);
      const double label = svm_predict_values(model_.get(), nodes.data(), decisions.data());
      combine(decisions, result.scores.view().row_span(i));
      const auto own = predicted_class(std::as_const(result.scores).view().row_span(i));
      const std::size_t theirs = class_of_label(labels_, label);
      const bool differs = static_cast<std::size_t>(own) != theirs;
      const bool tie = differs && votes_[static_cast<std::size_t>(own)] == votes_[theirs];
      if (tie) ++equal_votes;
      result.classes.push_back(tie ? own : static_cast<std::int32_t>(theirs));
    }
    return result;
  }

 private:
  struct Free {
    void operator()(svm_model* m) const { svm_free_and_destroy_model(&m); }
  };

  /// Combines decisions like the solver of this machine.
  void combine(const std::vector<double>& decisions, std::span<float> scores) {
    const std::size_t n = labels_.size();
    std::vector<std::size_t> order;  // the class of each of the file's labels
    for (std::size_t k = 0; k < n; ++k) order.push_back(class_of_label(labels_, model_->label[k]));
    votes_.assign(n, 0);
    std::vector<double> sums(n);
    if (n == 2) {
      const auto f = static_cast<float>(decisions[0]);
      scores[order[0]] = decisions[0] > 0 ? std::max(f, least) : std::min(f, -least);
      scores[order[1]] = -scores[order[0]];
      return;
    }
    std::size_t pair = 0;
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = a + 1; b < n; ++b, ++pair) {
        ++votes_[order[decisions[pair] > 0 ? a : b]];
        sums[order[a]] += decisions[pair];
        sums[order[b]] -= decisions[pair];
      }
    for (std::size_t k = 0; k < n; ++k) {
      const double s = sums[order[k]];
      const double more = rule_ == SupportVectorMachine::Scores::votes_sums
                              ? s / (3 * std::abs(s) + 3)
                              : static_cast<double>(n - 1 - k) / static_cast<double>(n);
      scores[order[k]] = static_cast<float>(static_cast<double>(votes_[order[k]]) + more);
    }
  }

  static constexpr float least = std::numeric_limits<float>::denorm_min();
  std::vector<int> labels_;
  SupportVectorMachine::Scores rule_;
  std::unique_ptr<svm_model, Free> model_;
  std::vector<std::size_t> votes_;
};

class LiblinearProgram final : public LibraryProgram {
 public:
  LiblinearProgram(const std::string& file, std::vector<int> labels) : labels_(std::move(labels)) {
    model_.reset(load_model(file.c_str()));
    if (!model_) throw Error("LIBLINEAR does not read the exported model");
    if (!labels_.empty() && static_cast<std::size_t>(model_->nr_class) != labels_.size())
      throw Error("LIBLINEAR reads the exported model with a different number of classes");
  }

  ExportedScores scores(MatrixView rows) override {
    const std::size_t n = labels_.size();
    const bool single = n == 2 && model_->param.solver_type != MCSVM_CS;
    std::vector<feature_node> nodes;
    if (n == 0)
      return estimates(rows, [&](std::size_t i) {
        fill_nodes(rows, i, model_->bias, nodes);
        return predict(model_.get(), nodes.data());
      });
    ExportedScores result{{}, FloatMatrix(rows.rows, n)};
    std::vector<double> decisions(n);
    for (std::size_t i = 0; i < rows.rows; ++i) {
      fill_nodes(rows, i, model_->bias, nodes);
      const double label = predict_values(model_.get(), nodes.data(), decisions.data());
      result.classes.push_back(static_cast<std::int32_t>(class_of_label(labels_, label)));
      float* out = result.scores.view().row(i);
      for (std::size_t k = 0; k < n; ++k)
        out[class_of_label(labels_, model_->label[k])] =
            static_cast<float>(single ? (k == 0 ? decisions[0] : -decisions[0]) : decisions[k]);
    }
    return result;
  }

 private:
  struct Free {
    void operator()(model* m) const { free_and_destroy_model(&m); }
  };
  std::vector<int> labels_;
  std::unique_ptr<model, Free> model_;
};

std::unique_ptr<LibraryProgram> libsvm_program(const std::string& file,
                                               const std::vector<int>& labels,
                                               SupportVectorMachine::Scores scores) {
  return std::make_unique<LibsvmProgram>(file, labels, scores);
}

std::unique_ptr<LibraryProgram> liblinear_program(const std::string& file,
                                                  const std::vector<int>& labels) {
  return std::make_unique<LiblinearProgram>(file, labels);
}

}  // namespace
}  // namespace semblance

/// The function that export/library_programs.cpp requests.
SEMBLANCE_EXPORT const semblance::LibraryFunctions* semblance_svm_models() {
  static const semblance::LibraryFunctions functions = {semblance::libsvm_program,
                                                        semblance::liblinear_program};
  return &functions;
}
