// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "export/c_text.hpp"
#include "semblance/error.hpp"

namespace semblance {
namespace {

using Operation = Formula::Operation;
using Step = Formula::Step;

/// Stack memory for one step's values, reused by later steps.
struct Buffer {
  bool wide = false;
  std::size_t capacity = 0;
  bool taken = false;
};

bool single_value(const Step& step) {
  return step.operation == Operation::constant && step.width == 1;
}

bool value_by_value(Operation operation) {
  return (operation >= Operation::widen && operation <= Operation::absolute) ||
         operation >= Operation::where_greater;
}

/// Turns steps into statements.
class Body {
 public:
  explicit Body(const Formula& formula, std::size_t result)
      : formula_(formula), names_(formula.steps().size()), last_(formula.steps().size()) {
    const auto& steps = formula.steps();
    for (std::size_t s = 0; s < steps.size(); ++s)
      for (const std::size_t of : steps[s].of) last_[of] = s;
    last_[result] = steps.size();
    buffer_of_.assign(steps.size(), none);
    for (std::size_t s = 0; s < steps.size(); ++s) write(s);
  }

  const std::string& statements() const noexcept { return statements_; }
  const std::string& constants() const noexcept { return constants_; }
  const std::string& name(std::size_t step) const { return names_[step]; }
  const std::vector<Buffer>& buffers() const noexcept { return buffers_; }
  std::size_t constant_bytes() const noexcept { return constant_bytes_; }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  void write(std::size_t s) {
    const Step& step = formula_.steps()[s];
    if (step.operation == Operation::input) {
      names_[s] = "row";
      return;
    }
    if (single_value(step)) {
      names_[s] = step.wide ? c_literal(step.doubles[0]) : c_literal(step.floats[0]);
      return;
    }
    if (step.operation == Operation::constant) {
      names_[s] = add_constants(step);
      return;
    }
    if (last_[s] == 0) return;  // unused
    if (step.note != note_) statements_ += "\n  /* " + c_comment(note_ = step.note) + " */\n";
    take_buffer(s);
    statements_ += statement(s, step);
    for (const std::size_t of : step.of) release(of, s);
  }

  std::string add_constants(const Step& step) {
    std::string name = fmt::format("c{}", arrays_++);
    constants_ += c_array(step, name);
    const std::size_t values = step.floats.size() + step.doubles.size();
    const std::size_t rows = has_matrix(step.operation) ? step.width : 1;
    const std::size_t lanes = has_matrix(step.operation) ? c_lanes(step.wide) : 1;
    const std::size_t stored = (rows + lanes - 1) / lanes * lanes;
    constant_bytes_ += values / rows * stored * (step.wide ? sizeof(double) : sizeof(float));
    return name;
  }

  /// On the last use of an argument, an elementwise operator writes its result into the argument's
  /// buffer; otherwise it takes a free buffer, or a new one. A single value, which may be needed
  /// for long, leaves buffers of many to others.
  void take_buffer(std::size_t s) {
    const Step& step = formula_.steps()[s];
    std::size_t found = none;
    if (value_by_value(step.operation))
      for (const std::size_t of : step.of)
        if (found == none && buffer_of_[of] != none && last_[of] == s &&
            formula_.steps()[of].wide == step.wide && formula_.steps()[of].width == step.width)
          found = buffer_of_[of];
    for (std::size_t b = 0; found == none && b < buffers_.size(); ++b)
      if (!buffers_[b].taken && buffers_[b].wide == step.wide &&
          (buffers_[b].capacity == 1) == (step.width == 1))
        found = b;
    if (found == none) {
      found = buffers_.size();
      buffers_.push_back({step.wide, 0, true});
    }
    buffers_[found].taken = true;
    buffers_[found].capacity = std::max(buffers_[found].capacity, step.width);
    buffer_of_[s] = found;
    names_[s] = fmt::format("t{}", found);
  }

  void release(std::size_t of, std::size_t s) {
    const std::size_t buffer = buffer_of_[of];
    if (buffer != none && last_[of] == s && buffer != buffer_of_[s]) buffers_[buffer].taken = false;
  }

  /// Value i of a step, or its only one.
  std::string element(std::size_t of) const {
    const Step& step = formula_.steps()[of];
    if (single_value(step)) return names_[of];
    return names_[of] + (step.width == 1 ? "[0]" : "[i]");
  }

  std::string statement(std::size_t s, const Step& step) {
    const std::string& to = names_[s];
    if (has_matrix(step.operation))
      return fmt::format("  {}({}, {}, {}, {}, {});\n",
                         c_matrix_function(step.operation, step.wide), names_[step.of[0]],
                         formula_.steps()[step.of[0]].width, add_constants(step), step.width, to);
    if (value_by_value(step.operation)) {
      std::vector<std::string> arguments;
      for (const std::size_t of : step.of) arguments.push_back(element(of));
      return loop(step.width, fmt::format("{}[i] = {};", to,
                                          c_expression(step.operation, step.wide, arguments)));
    }
    if (step.operation == Operation::concatenate) return put_together(step, to);
    if (step.operation == Operation::gather) return gathered(step, to);
    return reduced(step, to);
  }

  static std::string loop(std::size_t count, const std::string& body) {
    return fmt::format("  for (i = 0; i < {}; i++) {}\n", count, body);
  }

  std::string put_together(const Step& step, const std::string& to) const {
    std::string text;
    std::size_t offset = 0;
    for (const std::size_t of : step.of) {
      const std::size_t width = formula_.steps()[of].width;
      text += loop(width, fmt::format("{}[{} + i] = {};", to, offset, element(of)));
      offset += width;
    }
    return text;
  }

  std::string gathered(const Step& step, const std::string& to) {
    const auto& columns = step.columns;
    bool run = true;
    for (std::size_t i = 1; i < columns.size(); ++i) run = run && columns[i] == columns[0] + i;
    const std::string& from = names_[step.of[0]];
    if (run) return loop(step.width, fmt::format("{}[i] = {}[{} + i];", to, from, columns[0]));
    const std::string name = fmt::format("c{}", arrays_++);
    constants_ += fmt::format("static const size_t {}[{}] = {{\n  {}\n}};\n", name, columns.size(),
                              fmt::join(columns, ", "));
    constant_bytes_ += columns.size() * sizeof(std::size_t);
    return loop(step.width, fmt::format("{}[i] = {}[{}[i]];", to, from, name));
  }

  std::string reduced(const Step& step, const std::string& to) const {
    const std::string& from = names_[step.of[0]];
    const std::size_t count = formula_.steps()[step.of[0]].width;
    std::string text =
        fmt::format("  {}[0] = {}[0];\n  for (i = 1; i < {}; i++) ", to, from, count);
    if (step.operation == Operation::sum) return text + fmt::format("{}[0] += {}[i];\n", to, from);
    const char* sign = step.operation == Operation::largest ? ">" : "<";
    return text + fmt::format("if ({1}[i] {2} {0}[0] || {1}[i] != {1}[i]) {0}[0] = {1}[i];\n", to,
                              from, sign);
  }

  const Formula& formula_;
  std::vector<std::string> names_;
  std::vector<std::size_t> last_;  ///< the last step that uses a step's values
  std::vector<std::size_t> buffer_of_;
  std::vector<Buffer> buffers_;
  std::size_t arrays_ = 0;
  std::size_t constant_bytes_ = 0;
  std::string note_, statements_, constants_;
};

std::string functions(const Formula& formula) {
  std::set<std::pair<Operation, bool>> used;
  for (const Step& step : formula.steps())
    if (has_matrix(step.operation)) used.insert({step.operation, step.wide});
  std::string text;
  for (const auto& [operation, wide] : used) text += c_matrix_definition(operation, wide) + "\n";
  if (text.empty()) return text;
  return "/* For each row of a matrix w of m rows of n values, some rows side by side, in panels. "
         "*/\n" +
         text;
}

bool takes_missing(const Formula& formula) {
  return std::ranges::any_of(
      formula.steps(), [](const Step& step) { return step.operation == Operation::where_missing; });
}

std::string input_lines(const ExportedMachine& machine) {
  std::string text = fmt::format("   row[{}]: the values of a row of '{}', {}", machine.inputs,
                                 c_comment(machine.from), c_comment(machine.layout));
  if (machine.columns.empty()) return text + "\n";
  text += ":\n";
  for (std::size_t c = 0; c < machine.columns.size(); ++c)
    text += fmt::format("     {:>4} {}\n", c, c_comment(machine.columns[c]));
  return text;
}

/// How the values, and what the function returns, are described.
struct Described {
  std::string values;    ///< "The scores of"
  std::string argument;  ///< the name of the array
  std::string each;      ///< "one per class, larger is likelier"
  std::string returns;
};

Described described(const ExportedMachine& machine) {
  switch (machine.gives) {
    case PortType::estimates:
      return {"The estimates of", "estimates", "one per number to predict", "Returns 0, or -1"};
    case PortType::intervals:
      return {"The intervals of", "intervals",
              "lower end, estimate and upper end for each number to predict", "Returns 0, or -1"};
    case PortType::novelty:
      return {"The novelty score of", "score",
              "at least 0 for a usual row, below 0 for a novel one", "Returns 0, or -1"};
    default:
      return {machine.sets ? "The sets of" : "The scores of", "scores",
              machine.sets ? "one per class, at least 0 if it is in the row's set"
                           : "one per class, larger is likelier",
              "Returns the class with the largest score (the first one on ties), or -1"};
  }
}

std::string head(const ExportedMachine& machine, const std::string& name, std::size_t stack,
                 const std::string& said) {
  const Described what = described(machine);
  std::string classes;
  for (std::size_t c = 0; c < machine.outputs.size(); ++c)
    classes += fmt::format("     {:>4} {}\n", c, c_comment(machine.outputs[c]));
  const char* refused = takes_missing(machine.formula)
                            ? "if a value of the row is infinite, or a result is not a number"
                            : "if a value of the row or a result is not finite";
  return fmt::format(
      "/* {10} '{0}' of the pipeline '{1}', model {2}.\n"
      "\n"
      "   int {3}_predict(const float *row, float *{11});\n"
      "\n"
      "{4}   {11}[{5}]: {12}:\n"
      "{6}   {13}\n"
      "   {7}.\n"
      "\n"
      "   Needs C99 and <math.h>. Allocates nothing, and may be called from several threads at\n"
      "   once: intermediate values take about {8} bytes of the caller's stack. Do not compile it\n"
      "   with -ffast-math, which breaks the handling of values that are not finite.\n"
      "\n"
      "   {9} */\n",
      c_comment(machine.node), c_comment(machine.pipeline), c_comment(machine.checksum), name,
      input_lines(machine), machine.outputs.size(), classes, refused, stack, c_comment(said),
      what.values, what.argument, what.each, what.returns);
}

}  // namespace

void check_c_name(const std::string& name) {
  const auto letter = [](char c) {
    return c == '_' || std::isalpha(static_cast<unsigned char>(c));
  };
  const bool sound = !name.empty() && letter(name.front()) && name.front() != '_' &&
                     std::ranges::all_of(name, [&](char c) {
                       return static_cast<unsigned char>(c) < 0x80 &&
                              (letter(c) || std::isdigit(static_cast<unsigned char>(c)));
                     });
  if (!sound)
    throw Error("'" + name +
                "' cannot begin the name of a C function; give one of letters, digits and "
                "underscores that begins with a letter, with --name");
}

CSource write_c(const ExportedMachine& machine, const std::string& name, const std::string& said) {
  check_c_name(name);
  const std::size_t result = machine.scores.step;
  const Body body(machine.formula, result);
  std::string declared;
  CSource source;
  source.constant_bytes = body.constant_bytes();
  for (std::size_t b = 0; b < body.buffers().size(); ++b) {
    const Buffer& buffer = body.buffers()[b];
    declared += fmt::format("  {} t{}[{}];\n", c_type(buffer.wide), b, buffer.capacity);
    source.stack_bytes += buffer.capacity * (buffer.wide ? sizeof(double) : sizeof(float));
  }
  std::string names;
  for (const std::string& label : machine.outputs) names += "  " + c_string(label) + ",\n";
  names.erase(names.size() - 2, 1);
  const char* finite = takes_missing(machine.formula) ? "isinf(row[i])" : "!isfinite(row[i])";
  const std::size_t classes = machine.outputs.size();
  const bool classifies = machine.gives == PortType::scores;
  const std::string kind = classifies ? "class" : "output", argument = described(machine).argument;
  source.text =
      head(machine, name, source.stack_bytes, said) + "#include <math.h>\n#include <stddef.h>\n\n" +
      fmt::format(
          "enum {{ {0}_inputs = {1}, {0}_{4} = {2} }};\n\n"
          "extern const char *const {0}_{5}_names[{2}];\n"
          "int {0}_predict(const float *row, float *{6});\n\n"
          "const char *const {0}_{5}_names[{2}] = {{\n{3}}};\n\n",
          name, machine.inputs, classes, names, classifies ? "classes" : "outputs", kind,
          argument) +
      body.constants() + "\n" + functions(machine.formula) +
      fmt::format(
          "int {0}_predict(const float *row, float *{7}) {{\n"
          "  size_t i;\n  int best = 0;\n{1}"
          "  for (i = 0; i < {2}; i++)\n    if ({3}) return -1;\n"
          "{4}\n"
          "  for (i = 0; i < {5}; i++) {{\n"
          "    {7}[i] = {6}[i];\n"
          "    if (!isfinite({7}[i])) return -1;\n"
          "{8}"
          "  }}\n"
          "  return best;\n"
          "}}\n",
          name, declared, machine.inputs, finite, body.statements(), classes, body.name(result),
          argument, classifies ? "    if (scores[i] > scores[best]) best = (int)i;\n" : "");
  return source;
}

}  // namespace semblance
