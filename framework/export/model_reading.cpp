// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <set>
#include <string_view>

#include "export/model_text.hpp"
#include "semblance/error.hpp"
#include "support/json_text.hpp"

namespace semblance {
namespace {

/// The lines of such a file, split at spaces.
class ModelLines {
 public:
  ModelLines(const std::string& text, const std::string& name) : text_(text), name_(name) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(name_ + ":" + std::to_string(line_) + ": " + one_line(what));
  }

  bool next() {
    words_.clear();
    word_ = 0;
    if (at_ >= text_.size()) return false;
    ++line_;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view rest(text_.data() + at_, end - at_);
    if (!rest.empty() && rest.back() == '\r') rest.remove_suffix(1);
    at_ = end + 1;
    while (true) {
      const std::size_t begin = rest.find_first_not_of(" \t");
      if (begin == rest.npos) return true;
      const std::size_t stop = std::min(rest.find_first_of(" \t", begin), rest.size());
      words_.push_back(rest.substr(begin, stop - begin));
      rest.remove_prefix(stop);
    }
  }

  /// Throws where the file ends here; `wanted` is what should follow.
  void need(const std::string& wanted) {
    if (next()) return;
    ++line_;
    fail("the file ends where " + wanted + " should be; it may have been cut off, copy it again");
  }

  std::size_t words() const noexcept { return words_.size(); }
  bool more() const noexcept { return word_ < words_.size(); }
  std::string word(const std::string& what) {
    if (!more()) fail(what + " is missing at the end of the line");
    return std::string(words_[word_++]);
  }

  void end() const {
    if (more())
      fail("there is '" + std::string(words_[word_]) + "' in excess at the end of the line");
  }

  double number(const std::string& what) {
    const std::string text = word(what);
    char* stop = nullptr;
    const double value = std::strtod(text.c_str(), &stop);
    if (stop != text.c_str() + text.size() || text.find_first_of("xXpP") != text.npos)
      fail(what + " is '" + text + "', not a number");
    if (!std::isfinite(value)) fail(what + " is '" + text + "', which is not finite");
    return value;
  }

  int integer(const std::string& what, int least, int most) {
    const std::string text = word(what);
    int value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size())
      fail(what + " is '" + text + "', not an integer");
    if (value < least || value > most)
      fail(fmt::format("{} is {}, but must be from {} to {}", what, value, least, most));
    return value;
  }

 private:
  const std::string& text_;
  std::string name_;
  std::size_t at_ = 0, line_ = 0, word_ = 0;
  std::vector<std::string_view> words_;
};

constexpr int most_int = std::numeric_limits<int>::max();
constexpr int most_classes = 1 << 16;

std::vector<int> read_labels(ModelLines& lines, int classes) {
  std::vector<int> labels;
  // Reserves no more than the line may need: a file can claim any number.
  labels.reserve(std::min(static_cast<std::size_t>(classes), lines.words()));
  for (int c = 0; c < classes; ++c) labels.push_back(lines.integer("a label", -most_int, most_int));
  lines.end();
  if (std::set<int>(labels.begin(), labels.end()).size() != labels.size())
    lines.fail("two classes have the same label");
  return labels;
}

using Kernel = SupportVectorMachine::Kernel;

/// The lines before the vectors.
struct LibsvmHead {
  std::optional<std::string> type;
  std::optional<Kernel> kernel;
  std::optional<int> degree, classes, vectors;
  std::optional<double> gamma, coef0;
  std::vector<double> rho;
  std::vector<int> labels;
  std::vector<std::size_t> counts;
  bool probabilities = false;
};

template <class Value>
void set_once(ModelLines& lines, std::optional<Value>& place, Value value,
              const std::string& what) {
  if (place) lines.fail("a second line '" + what + "'");
  place = std::move(value);
}

int known_classes(ModelLines& lines, const LibsvmHead& head) {
  if (!head.classes) lines.fail("'nr_class' must come before this line");
  return *head.classes;
}

void read_type(ModelLines& lines, LibsvmHead& head) {
  const std::string type = lines.word("the type");
  if (type == "epsilon_svr" || type == "nu_svr" || type == "one_class")
    lines.fail("a model of type " + type + " is no classifier; c_svc and nu_svc are");
  if (type != "c_svc" && type != "nu_svc") lines.fail("unknown svm_type '" + type + "'");
  set_once(lines, head.type, type, "svm_type");
}

void read_kernel(ModelLines& lines, LibsvmHead& head) {
  const std::string word = lines.word("the kernel");
  if (word == name(Kernel::sigmoid) || word == "precomputed")
    lines.fail("a model with the kernel " + word +
               " is not imported; linear, polynomial and rbf are");
  for (const Kernel kernel : {Kernel::linear, Kernel::polynomial, Kernel::rbf})
    if (word == name(kernel)) return set_once(lines, head.kernel, kernel, "kernel_type");
  lines.fail("unknown kernel_type '" + word + "'");
}

void read_rho(ModelLines& lines, LibsvmHead& head) {
  if (!head.rho.empty()) lines.fail("a second line 'rho'");
  const int n = known_classes(lines, head);
  // Reads the values present in the line, before reserving room for the claimed number.
  while (lines.more()) head.rho.push_back(lines.number("rho"));
  const std::size_t pairs = static_cast<std::size_t>(n) * static_cast<std::size_t>(n - 1) / 2;
  if (head.rho.size() != pairs)
    lines.fail(fmt::format("{} values of rho for {} pairs of classes", head.rho.size(), pairs));
}

void read_head_line(ModelLines& lines, LibsvmHead& head, const std::string& key) {
  if (key == "svm_type") return read_type(lines, head);
  if (key == "kernel_type") return read_kernel(lines, head);
  if (key == "degree") return set_once(lines, head.degree, lines.integer(key, 1, 100), key);
  if (key == "gamma") return set_once(lines, head.gamma, lines.number(key), key);
  if (key == "coef0") return set_once(lines, head.coef0, lines.number(key), key);
  if (key == "nr_class")
    return set_once(lines, head.classes, lines.integer(key, 2, most_classes), key);
  if (key == "total_sv")
    return set_once(lines, head.vectors, lines.integer(key, 0, most_int - 1), key);
  if (key == "rho") return read_rho(lines, head);
  if (key == "label") {
    if (!head.labels.empty()) lines.fail("a second line 'label'");
    head.labels = read_labels(lines, known_classes(lines, head));
    return;
  }
  if (key == "nr_sv") {
    if (!head.counts.empty()) lines.fail("a second line 'nr_sv'");
    for (int c = known_classes(lines, head); c > 0; --c)
      head.counts.push_back(static_cast<std::size_t>(lines.integer(key, 0, most_int - 1)));
    return;
  }
  if (key == "probA" || key == "probB" || key == "prob_density_marks") {
    head.probabilities = true;
    while (lines.more()) lines.number(key);
    return;
  }
  lines.fail("unknown line '" + key + "'");
}

LibsvmHead read_head(ModelLines& lines) {
  LibsvmHead head;
  while (true) {
    lines.need("'SV'");
    const std::string key = lines.word("a name");
    if (key == "SV") break;
    read_head_line(lines, head, key);
    lines.end();
  }
  const auto missing = [&](const char* what) {
    lines.fail(std::string("the line '") + what + "' is missing above this one");
  };
  if (!head.type) missing("svm_type");
  if (!head.kernel) missing("kernel_type");
  if (!head.classes) missing("nr_class");
  if (!head.vectors) missing("total_sv");
  if (head.rho.empty()) missing("rho");
  if (head.labels.empty()) missing("label");
  if (head.counts.empty()) missing("nr_sv");
  if (*head.kernel != Kernel::linear && !head.gamma) missing("gamma");
  if (head.gamma.value_or(0) < 0) lines.fail("gamma is negative");
  if (*head.kernel == Kernel::polynomial && !head.degree) missing("degree");
  if (*head.kernel == Kernel::polynomial && !head.coef0) missing("coef0");
  std::size_t total = 0;
  for (const std::size_t count : head.counts) total += count;
  if (total != static_cast<std::size_t>(*head.vectors))
    lines.fail(fmt::format("nr_sv adds up to {} vectors, total_sv says {}", total, *head.vectors));
  return head;
}

void read_vector(ModelLines& lines, SupportVectorMachine& machine, std::size_t row,
                 std::vector<std::vector<double>>& coefficients) {
  for (auto& of_class : coefficients) of_class.push_back(lines.number("a coefficient"));
  int last = 0;
  while (lines.more()) {
    const std::string pair = lines.word("a value");
    const std::size_t colon = pair.find(':');
    int index = 0;
    const auto read =
        std::from_chars(pair.data(), pair.data() + std::min(colon, pair.size()), index);
    if (colon == pair.npos || read.ec != std::errc() || read.ptr != pair.data() + colon)
      lines.fail("'" + pair + "' of vector " + std::to_string(row) + " is no INDEX:VALUE");
    if (index <= last || index == most_int)
      lines.fail("the index " + std::to_string(index) +
                 (index < 1 ? " is below 1" : " is out of order"));
    char* stop = nullptr;
    const std::string text = pair.substr(colon + 1);
    const double value = std::strtod(text.c_str(), &stop);
    if (text.empty() || stop != text.c_str() + text.size())
      lines.fail("the value '" + text + "' is not a number");
    if (!(std::abs(value) <= double{std::numeric_limits<float>::max()}))
      lines.fail("the value '" + text + "' is not finite, or too large for float32");
    last = index;
    machine.inputs = std::max(machine.inputs, static_cast<std::size_t>(index));
    if (value == 0) continue;
    machine.columns.push_back(static_cast<std::uint32_t>(index - 1));
    machine.values.push_back(value);
  }
  machine.starts.push_back(machine.values.size());
}

}  // namespace

bool is_liblinear(const std::string& text, const std::string& name) {
  if (text.starts_with("solver_type ")) return true;
  if (text.starts_with("svm_type ")) return false;
  throw Error(name +
              ":1: this is no model of LIBSVM ('svm_type ...') or LIBLINEAR ('solver_type "
              "...'); name a file that svm-train or liblinear-train has written");
}

LibsvmModelText parse_libsvm(const std::string& text, const std::string& name) {
  ModelLines lines(text, name);
  LibsvmHead head = read_head(lines);
  LibsvmModelText file;
  SupportVectorMachine& machine = file.machine;
  machine.kernel = *head.kernel;
  machine.degree = head.degree.value_or(0);
  machine.gamma = head.gamma.value_or(0);
  machine.coef0 = head.coef0.value_or(0);
  machine.rho = std::move(head.rho);
  machine.counts = std::move(head.counts);
  machine.starts.assign(1, 0);
  const auto vectors = static_cast<std::size_t>(*head.vectors);
  std::vector<std::vector<double>> coefficients(static_cast<std::size_t>(*head.classes) - 1);
  for (std::size_t row = 0; row < vectors; ++row) {
    lines.need("support vector " + std::to_string(row) + " of " + std::to_string(vectors));
    read_vector(lines, machine, row, coefficients);
  }
  while (lines.next())
    if (lines.more()) lines.fail("there are more support vectors than total_sv says");
  if (vectors == 0 || machine.inputs == 0)
    throw Error(name + ": the model has no support vector with a value; train it again");
  for (const auto& of_class : coefficients)
    machine.coefficients.insert(machine.coefficients.end(), of_class.begin(), of_class.end());
  for (std::size_t c = 0; c < head.labels.size(); ++c)
    machine.labels.push_back(static_cast<std::int32_t>(c));
  file.labels = std::move(head.labels);
  file.probabilities = head.probabilities;
  return file;
}

LiblinearModelText parse_liblinear(const std::string& text, const std::string& name) {
  constexpr const char* solvers[] = {"L2R_L2LOSS_SVC",      "L2R_L2LOSS_SVC_DUAL",
                                     "L2R_L1LOSS_SVC_DUAL", "MCSVM_CS",
                                     "L1R_L2LOSS_SVC",      "L2R_LR",
                                     "L2R_LR_DUAL",         "L1R_LR"};
  ModelLines lines(text, name);
  const auto line = [&](const char* key) {
    lines.need(std::string("'") + key + "'");
    const std::string found = lines.word(std::string("'") + key + "'");
    if (found != key) lines.fail("'" + found + "' stands where '" + key + "' should");
  };
  LiblinearModelText file;
  LiblinearMachine& machine = file.machine;
  line("solver_type");
  machine.solver = lines.word("the solver");
  if (std::find(std::begin(solvers), std::end(solvers), machine.solver) == std::end(solvers))
    lines.fail("the solver " + machine.solver + " is no classifier of LIBLINEAR; these are " +
               fmt::format("{}", fmt::join(solvers, ", ")));
  lines.end();
  line("nr_class");
  const int classes = lines.integer("nr_class", 2, most_classes);
  lines.end();
  machine.classes = static_cast<std::size_t>(classes);
  line("label");
  file.labels = read_labels(lines, classes);
  line("nr_feature");
  machine.inputs = static_cast<std::size_t>(lines.integer("nr_feature", 1, most_int - 2));
  lines.end();
  line("bias");
  const double bias = lines.number("bias");
  lines.end();
  if (bias == 0) lines.fail("a bias of 0 means no bias, for which LIBLINEAR writes -1");
  machine.bias = bias > 0 ? bias : 0;
  line("w");
  lines.end();
  const std::size_t functions =
      classes == 2 && machine.solver != "MCSVM_CS" ? 1 : static_cast<std::size_t>(classes);
  const std::size_t rows = machine.inputs + (machine.bias > 0 ? 1 : 0);
  // Memory grows with the lines: the head's claims are untrusted.
  std::vector<double> weights;
  for (std::size_t k = 0; k < rows; ++k) {
    lines.need(fmt::format("the weights of value {} of {}", k + 1, rows));
    for (std::size_t f = 0; f < functions; ++f) weights.push_back(lines.number("a weight"));
    lines.end();
  }
  while (lines.next())
    if (lines.more()) lines.fail("there are more lines of weights than nr_feature and bias say");
  machine.weights.assign(functions * (machine.inputs + 1), 0);
  for (std::size_t k = 0; k < rows; ++k)
    for (std::size_t f = 0; f < functions; ++f)
      machine.weights[f * (machine.inputs + 1) + k] =
          (functions == 1 ? -1 : 1) * weights[k * functions + f];
  return file;
}

}  // namespace semblance
