// SPDX-License-Identifier: MIT
#include "export/onnx/door.hpp"

// The library's headers; the folder of this file has the same name.
#include <onnx/checker.h>
#include <onnx/onnx_pb.h>

#include <nlohmann/json.hpp>
#include <numbers>

#include "semblance/error.hpp"

namespace semblance::onnx_door {
namespace {

using Operation = Formula::Operation;
using Step = Formula::Step;

constexpr int opset = 17;
constexpr int ir_version = 8;  // the version that came with it

/// The operator for an operation, if there is one.
const char* operator_of(Operation operation) {
  switch (operation) {
    case Operation::add:
      return "Add";
    case Operation::subtract:
      return "Sub";
    case Operation::multiply:
      return "Mul";
    case Operation::divide:
      return "Div";
    case Operation::minimum:
      return "Min";
    case Operation::maximum:
      return "Max";
    case Operation::exponential:
      return "Exp";
    case Operation::logarithm:
      return "Log";
    case Operation::square_root:
      return "Sqrt";
    case Operation::hyperbolic_tangent:
      return "Tanh";
    case Operation::absolute:
      return "Abs";
    case Operation::sine:
      return "Sin";
    default:
      return nullptr;
  }
}

template <class Number>
std::vector<Number> transposed(const std::vector<Number>& matrix, std::size_t rows) {
  const std::size_t cols = matrix.size() / rows;
  std::vector<Number> result(matrix.size());
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < cols; ++k) result[k * rows + i] = matrix[i * cols + k];
  return result;
}

template <class Number>
std::vector<Number> column_means(const std::vector<Number>& matrix, std::size_t rows) {
  const std::size_t cols = matrix.size() / rows;
  std::vector<double> sums(cols);
  for (std::size_t i = 0; i < matrix.size(); ++i) sums[i % cols] += double{matrix[i]};
  std::vector<Number> means;
  means.reserve(cols);
  for (const double sum : sums)
    means.push_back(static_cast<Number>(sum / static_cast<double>(rows)));
  return means;
}

class GraphWriter {
 public:
  explicit GraphWriter(const ExportedMachine& machine) : machine_(machine) {
    names_.resize(steps().size());
    batched_.resize(steps().size());
    graph_.set_name(machine.node);
    for (std::size_t s = 0; s < steps().size(); ++s) names_[s] = write(s);
    finish();
  }

  onnx::GraphProto take() { return std::move(graph_); }

 private:
  const std::vector<Step>& steps() const { return machine_.formula.steps(); }

  std::string fresh() { return "v" + std::to_string(values_++); }

  std::string node(const char* operation, const std::vector<std::string>& inputs,
                   std::string output = "") {
    if (output.empty()) output = fresh();
    onnx::NodeProto& made = *graph_.add_node();
    made.set_op_type(operation);
    made.set_name("n" + std::to_string(graph_.node_size()));
    made.set_doc_string(note_);
    for (const std::string& input : inputs) made.add_input(input);
    made.add_output(output);
    return output;
  }

  void attribute(const char* name, std::int64_t value) {
    onnx::AttributeProto& made = *last().add_attribute();
    made.set_name(name);
    made.set_type(onnx::AttributeProto::INT);
    made.set_i(value);
  }
  void attributes(const char* name, std::initializer_list<std::int64_t> values) {
    onnx::AttributeProto& made = *last().add_attribute();
    made.set_name(name);
    made.set_type(onnx::AttributeProto::INTS);
    for (const std::int64_t value : values) made.add_ints(value);
  }
  onnx::NodeProto& last() { return *graph_.mutable_node(graph_.node_size() - 1); }

  template <class Number>
  std::string tensor(const std::vector<Number>& values, const std::vector<std::size_t>& shape) {
    onnx::TensorProto& made = *graph_.add_initializer();
    made.set_name("c" + std::to_string(graph_.initializer_size()));
    made.set_data_type(std::is_same_v<Number, float>    ? onnx::TensorProto::FLOAT
                       : std::is_same_v<Number, double> ? onnx::TensorProto::DOUBLE
                                                        : onnx::TensorProto::INT64);
    for (const std::size_t extent : shape) made.add_dims(static_cast<std::int64_t>(extent));
    made.set_raw_data(values.data(), values.size() * sizeof(Number));
    return made.name();
  }

  /// One number of the step's type.
  std::string number(double value, bool wide) {
    if (wide) return tensor(std::vector<double>{value}, {1, 1});
    return tensor(std::vector<float>{static_cast<float>(value)}, {1, 1});
  }

  std::string cast(const std::string& value, bool wide) {
    std::string made = node("Cast", {value});
    attribute("to", wide ? onnx::TensorProto::DOUBLE : onnx::TensorProto::FLOAT);
    return made;
  }

  std::string write(std::size_t s) {
    const Step& step = steps()[s];
    note_ = step.note;
    if (step.operation == Operation::input) {
      batched_[s] = true;
      return "rows";
    }
    if (step.operation == Operation::constant)
      return step.wide ? tensor(step.doubles, {1, step.width})
                       : tensor(step.floats, {1, step.width});
    std::vector<std::string> inputs;
    for (const std::size_t of : step.of) {
      inputs.push_back(names_[of]);
      if (batched_[of]) batched_[s] = true;
    }
    if (const char* same = operator_of(step.operation)) return node(same, inputs);
    switch (step.operation) {
      case Operation::widen:
        return cast(inputs[0], true);
      case Operation::narrow:
        return cast(inputs[0], false);
      case Operation::cosine:
        // onnxruntime has no Cos of float64.
        if (!step.wide) return node("Cos", inputs);
        return node("Sin", {node("Add", {inputs[0], number(std::numbers::pi / 2, true)})});
      case Operation::where_greater:
        return node("Where", {node("Greater", {inputs[0], inputs[1]}), inputs[2], inputs[3]});
      case Operation::where_missing:
        return node("Where", {node("IsNaN", {inputs[0]}), inputs[1], inputs[2]});
      case Operation::concatenate:
        return together(s, step);
      case Operation::gather: {
        const std::vector<std::int64_t> columns(step.columns.begin(), step.columns.end());
        std::string made = node("Gather", {inputs[0], tensor(columns, {columns.size()})});
        attribute("axis", 1);
        return made;
      }
      case Operation::sum:
        return summed(inputs[0], 1, true);
      case Operation::largest:
      case Operation::smallest: {
        std::string made =
            node(step.operation == Operation::largest ? "ReduceMax" : "ReduceMin", {inputs[0]});
        attributes("axes", {1});
        attribute("keepdims", 1);
        return made;
      }
      default:
        return step.wide ? with_matrix(step, step.doubles, inputs[0])
                         : with_matrix(step, step.floats, inputs[0]);
    }
  }

  std::string summed(const std::string& value, std::int64_t axis, bool keeps) {
    std::string made = node("ReduceSum", {value, tensor(std::vector<std::int64_t>{axis}, {1})});
    attribute("keepdims", keeps ? 1 : 0);
    return made;
  }

  /// Repeats a value that is the same for all rows, once for each row.
  std::string for_each_row(std::size_t s) {
    if (batched_[s]) return names_[s];
    const std::string rows = node("Shape", {"rows"});
    attribute("start", 0);
    attribute("end", 1);
    const auto width = static_cast<std::int64_t>(steps()[s].width);
    const std::string columns = tensor(std::vector<std::int64_t>{width}, {1});
    const std::string shape = node("Concat", {rows, columns});
    attribute("axis", 0);
    return node("Expand", {names_[s], shape});
  }

  std::string together(std::size_t s, const Step& step) {
    std::vector<std::string> parts;
    for (const std::size_t of : step.of)
      parts.push_back(batched_[s] ? for_each_row(of) : names_[of]);
    std::string made = node("Concat", parts);
    attribute("axis", 1);
    return made;
  }

  template <class Number>
  std::string with_matrix(const Step& step, const std::vector<Number>& matrix,
                          const std::string& x) {
    const std::size_t rows = step.width, cols = matrix.size() / rows;
    if (step.operation == Operation::products)
      return node("MatMul", {x, tensor(transposed(matrix, rows), {cols, rows})});
    const bool distances = step.operation == Operation::squared_distances;
    if (distances && !is_rooted(step)) return distances_of(step, matrix, x);
    // Combines all rows of the matrix with all rows of x.
    const std::string apart = node("Unsqueeze", {x, tensor(std::vector<std::int64_t>{1}, {1})});
    const std::string m = tensor(matrix, {1, rows, cols});
    if (step.operation == Operation::intersections)
      return summed(node("Min", {m, apart}), 2, false);
    if (distances) return summed(squared(node("Sub", {m, apart})), 2, false);
    const std::string total = node("Add", {m, apart});
    std::string part;
    if (step.operation == Operation::chi_square_sums) {
      part = squared(node("Sub", {m, apart}));
    } else {
      part = node("Mul", {node("Mul", {m, apart}), number(2, step.wide)});
    }
    const std::string zero = number(0, step.wide);
    const std::string none = node("Equal", {total, zero});
    return summed(node("Where", {none, zero, node("Div", {part, total})}), 2, false);
  }

  std::string squared(const std::string& value) { return node("Mul", {value, value}); }

  /// The root of what is rounded next to 0 is far off, and equal distances tie.
  bool is_rooted(const Step& step) const {
    const auto number = static_cast<std::size_t>(&step - steps().data());
    return std::ranges::any_of(steps(), [&](const Step& later) {
      return later.operation == Operation::square_root && later.of[0] == number;
    });
  }

  /// |m|^2 + |x|^2 - 2 <m, x>, both relative to the mean of the matrix' rows, which rounds less.
  template <class Number>
  std::string distances_of(const Step& step, const std::vector<Number>& matrix,
                           const std::string& x) {
    const std::size_t rows = step.width, cols = matrix.size() / rows;
    const std::vector<Number> centre = column_means(matrix, rows);
    std::vector<Number> moved(matrix.size()), norms(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      double norm = 0;
      for (std::size_t k = 0; k < cols; ++k) {
        const Number value = matrix[i * cols + k] - centre[k];
        norm += double{value} * double{value};
        moved[i * cols + k] = -2 * value;
      }
      norms[i] = static_cast<Number>(norm);
    }
    const std::string y = node("Sub", {x, tensor(centre, {1, cols})});
    const std::string own = summed(squared(y), 1, true);
    const std::string products = node("MatMul", {y, tensor(transposed(moved, rows), {cols, rows})});
    const std::string sum = node("Add", {node("Add", {products, own}), tensor(norms, {1, rows})});
    return node("Max", {sum, number(0, step.wide)});
  }

  static void describe_value(onnx::ValueInfoProto& value, const char* name, int type,
                             std::size_t width) {
    value.set_name(name);
    auto& tensor_type = *value.mutable_type()->mutable_tensor_type();
    tensor_type.set_elem_type(type);
    tensor_type.mutable_shape()->add_dim()->set_dim_param("N");
    if (width > 0)
      tensor_type.mutable_shape()->add_dim()->set_dim_value(static_cast<std::int64_t>(width));
  }

  void finish() {
    const char* const values = output_name(machine_.gives);
    node("Identity", {for_each_row(machine_.scores.step)}, values);
    describe_value(*graph_.add_input(), "rows", onnx::TensorProto::FLOAT, machine_.inputs);
    if (machine_.gives == PortType::scores) {
      node("ArgMax", {values}, "label");
      attribute("axis", 1);
      attribute("keepdims", 0);
      describe_value(*graph_.add_output(), "label", onnx::TensorProto::INT64, 0);
    }
    describe_value(*graph_.add_output(), values, onnx::TensorProto::FLOAT, machine_.outputs.size());
  }

  const ExportedMachine& machine_;
  onnx::GraphProto graph_;
  std::vector<std::string> names_;
  std::vector<char> batched_;  ///< whether a step has a value for each row
  std::size_t values_ = 0;
  std::string note_;
};

/// JSON, since names may contain any character, and bytes that are not UTF-8.
std::string names_text(const std::vector<std::string>& names) {
  return nlohmann::json(names).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void add_property(onnx::ModelProto& model, const char* key, const std::string& value) {
  onnx::StringStringEntryProto& entry = *model.add_metadata_props();
  entry.set_key(key);
  entry.set_value(value);
}

}  // namespace

std::string write_graph(const ExportedMachine& machine) {
  onnx::ModelProto model;
  model.set_ir_version(ir_version);
  model.set_producer_name("semblance");
  model.add_opset_import()->set_version(opset);
  add_property(model, "model", machine.checksum);
  add_property(model, "pipeline", machine.pipeline);
  add_property(model, "node", machine.node);
  add_property(model, "from", machine.from);
  add_property(model, machine.gives == PortType::scores ? "classes" : "outputs",
               names_text(machine.outputs));
  if (!machine.columns.empty()) add_property(model, "columns", names_text(machine.columns));
  *model.mutable_graph() = GraphWriter(machine).take();
  constexpr std::size_t most = (std::size_t{1} << 31) - 1;
  if (model.ByteSizeLong() > most)
    throw Error(
        "the model would be an ONNX file of more than 2 GiB, which the format does not "
        "allow; use fewer bases, or export it to c");
  try {
    onnx::checker::check_model(model);
  } catch (const std::exception& problem) {
    throw Error(std::string("ONNX's checker refuses the exported model: ") + problem.what());
  }
  return model.SerializeAsString();
}

}  // namespace semblance::onnx_door
