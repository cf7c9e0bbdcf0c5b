// SPDX-License-Identifier: MIT
// Computes an ONNX file operator by operator: only operators that graph.cpp writes.
#include <onnx/onnx_pb.h>

#include <cstring>
#include <map>

#include "export/onnx/door.hpp"
#include "export/onnx/tensor.hpp"
#include "semblance/error.hpp"

namespace semblance::onnx_door {
namespace {

Kind kind_of(int type) {
  switch (type) {
    case onnx::TensorProto::FLOAT:
      return Kind::float32;
    case onnx::TensorProto::DOUBLE:
      return Kind::float64;
    case onnx::TensorProto::INT64:
      return Kind::int64;
    case onnx::TensorProto::BOOL:
      return Kind::boolean;
    default:
      throw Error("the ONNX file cannot be computed: it has values of type " +
                  std::to_string(type));
  }
}

template <class Number>
void read_values(const std::string& bytes, std::vector<double>& values) {
  if (bytes.size() != values.size() * sizeof(Number))
    throw Error("the ONNX file cannot be computed: a tensor has the wrong size");
  for (std::size_t i = 0; i < values.size(); ++i) {
    Number value;
    std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
    values[i] = static_cast<double>(value);
  }
}

Tensor tensor_of(const onnx::TensorProto& from) {
  Tensor result{kind_of(from.data_type()), {}, {}};
  for (const std::int64_t extent : from.dims())
    result.shape.push_back(static_cast<std::size_t>(extent));
  result.values.resize(result.size());
  if (result.kind == Kind::float32)
    read_values<float>(from.raw_data(), result.values);
  else if (result.kind == Kind::float64)
    read_values<double>(from.raw_data(), result.values);
  else
    read_values<std::int64_t>(from.raw_data(), result.values);
  return result;
}

std::int64_t attribute_of(const onnx::NodeProto& node, const char* name, std::int64_t otherwise) {
  for (const onnx::AttributeProto& attribute : node.attribute())
    if (attribute.name() == name)
      return attribute.ints_size() > 0 ? attribute.ints(0) : attribute.i();
  return otherwise;
}

/// The values of one computation.
class Values {
 public:
  explicit Values(const std::map<std::string, Tensor>& constants) : constants_(constants) {}

  const Tensor& of(const std::string& name) const {
    const auto own = values_.find(name);
    if (own != values_.end()) return own->second;
    const auto constant = constants_.find(name);
    if (constant == constants_.end())
      throw Error("the ONNX file cannot be computed: nothing gives '" + name + "'");
    return constant->second;
  }
  void set(const std::string& name, Tensor value) { values_[name] = std::move(value); }

 private:
  const std::map<std::string, Tensor>& constants_;
  std::map<std::string, Tensor> values_;
};

Tensor shape_of(const onnx::NodeProto& node, const Tensor& a) {
  const auto begin = static_cast<std::size_t>(attribute_of(node, "start", 0));
  const auto end = static_cast<std::size_t>(
      attribute_of(node, "end", static_cast<std::int64_t>(a.shape.size())));
  Tensor result{Kind::int64, {end - begin}, {}};
  result.values.reserve(end - begin);
  for (std::size_t d = begin; d < end; ++d)
    result.values.push_back(static_cast<double>(a.shape[d]));
  return result;
}

Tensor unsqueezed(const Tensor& a, const Tensor& axes) {
  Tensor result = a;
  for (const double axis : axes.values)
    result.shape.insert(result.shape.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  return result;
}

Tensor computed(const onnx::NodeProto& node, const Values& values) {
  const std::string& operation = node.op_type();
  const auto input = [&](int i) -> const Tensor& { return values.of(node.input(i)); };
  const auto axis = static_cast<std::size_t>(attribute_of(node, "axis", 0));
  const bool keeps = attribute_of(node, "keepdims", 1) != 0;
  if (operation == "Identity") return input(0);
  if (operation == "MatMul") return matrix_product(input(0), input(1));
  if (operation == "Where") return where(input(0), input(1), input(2));
  if (operation == "Cast")
    return cast(input(0), kind_of(static_cast<int>(attribute_of(node, "to", 0))));
  if (operation == "Expand") return expand(input(0), input(1));
  if (operation == "Gather") return gather(input(0), input(1), axis);
  if (operation == "ArgMax") return arg_max(input(0), axis);
  if (operation == "Shape") return shape_of(node, input(0));
  if (operation == "Unsqueeze") return unsqueezed(input(0), input(1));
  if (operation == "ReduceSum")
    return reduce(operation, input(0), static_cast<std::size_t>(input(1).values.at(0)), keeps);
  if (operation == "ReduceMax" || operation == "ReduceMin")
    return reduce(operation, input(0), static_cast<std::size_t>(attribute_of(node, "axes", 0)),
                  keeps);
  if (operation == "Concat") {
    std::vector<const Tensor*> parts;
    for (int i = 0; i < node.input_size(); ++i) parts.push_back(&input(i));
    return concatenate(parts, axis);
  }
  if (node.input_size() == 2) return by_pairs(operation, input(0), input(1));
  return by_value(operation, input(0));
}

class Program final : public OnnxProgram {
 public:
  explicit Program(const std::string& bytes) {
    if (!model_.ParseFromString(bytes)) throw Error("the ONNX file cannot be read back");
    for (const onnx::TensorProto& constant : model_.graph().initializer())
      constants_[constant.name()] = tensor_of(constant);
  }

  ExportedScores scores(MatrixView rows) const override {
    Values values(constants_);
    Tensor given{Kind::float32, {rows.rows, rows.cols}, {}};
    for (std::size_t i = 0; i < rows.rows; ++i)
      given.values.insert(given.values.end(), rows.row(i), rows.row(i) + rows.cols);
    values.set("rows", std::move(given));
    for (const onnx::NodeProto& node : model_.graph().node())
      values.set(node.output(0), computed(node, values));
    const auto& outputs = model_.graph().output();
    const Tensor& scores = values.of(outputs.rbegin()->name());
    const bool classifies = outputs.size() > 1;
    if (scores.shape.size() != 2 || scores.shape[0] != rows.rows ||
        (classifies && values.of("label").values.size() != rows.rows))
      throw Error("the ONNX file gives an unexpected number of scores");
    ExportedScores result{{}, FloatMatrix(rows.rows, scores.shape[1])};
    result.classes.resize(classifies ? 0 : rows.rows);
    if (classifies)
      for (const double label : values.of("label").values)
        result.classes.push_back(static_cast<std::int32_t>(label));
    for (std::size_t i = 0; i < scores.values.size(); ++i)
      result.scores.values[i] = static_cast<float>(scores.values[i]);
    return result;
  }

 private:
  onnx::ModelProto model_;
  std::map<std::string, Tensor> constants_;
};

}  // namespace

std::unique_ptr<OnnxProgram> read_program(const std::string& bytes) {
  return std::make_unique<Program>(bytes);
}

}  // namespace semblance::onnx_door
