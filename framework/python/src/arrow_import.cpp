// SPDX-License-Identifier: MIT
#include "arrow_import.hpp"

#include "arrow_column.hpp"

namespace semblance::python {
namespace {

namespace py = pybind11;

/// One of the interface's structs, released at the end.
template <class T>
class Owned {
 public:
  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (value.release) value.release(&value);
  }
  T value = {};
};

void check(int code, ArrowArrayStream& stream) {
  if (code == 0) return;
  const char* said = stream.get_last_error ? stream.get_last_error(&stream) : nullptr;
  throw py::value_error("the Arrow table cannot be read: " +
                        std::string(said ? said : "error " + std::to_string(code)));
}

/// The stream in the capsule; it belongs to whoever moves it out.
void take_stream(const py::object& table, Owned<ArrowArrayStream>& stream) {
  const py::object capsule = table.attr("__arrow_c_stream__")();
  auto* given =
      static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (!given) throw py::error_already_set();
  if (!given->release) throw py::value_error("the Arrow stream has been read before");
  stream.value = *given;
  given->release = nullptr;
}

/// All chunks of the table; the structs of columns live as long as their chunk.
std::vector<std::shared_ptr<Owned<ArrowArray>>> chunks_of(ArrowArrayStream& stream,
                                                          std::int64_t columns) {
  std::vector<std::shared_ptr<Owned<ArrowArray>>> chunks;
  for (;;) {
    auto chunk = std::make_shared<Owned<ArrowArray>>();
    check(stream.get_next(&stream, &chunk->value), stream);
    const ArrowArray& array = chunk->value;
    if (!array.release) return chunks;
    if (array.n_children != columns)
      throw py::value_error("a chunk of the Arrow table has " + std::to_string(array.n_children) +
                            " columns instead of " + std::to_string(columns));
    if (array.null_count > 0) throw py::value_error("an Arrow table must have no null rows");
    chunks.push_back(std::move(chunk));
  }
}

py::list arrow_columns(const py::object& table) {
  Owned<ArrowArrayStream> stream;
  take_stream(table, stream);
  Owned<ArrowSchema> schema;
  check(stream.value.get_schema(&stream.value, &schema.value), stream.value);
  if (std::string_view(schema.value.format) != "+s")
    throw py::type_error("the Arrow stream must be a table with columns, not of type '" +
                         std::string(schema.value.format) + "'");
  const auto chunks = chunks_of(stream.value, schema.value.n_children);
  py::list columns;
  for (std::int64_t c = 0; c < schema.value.n_children; ++c) {
    std::vector<ArrowChunk> parts;
    parts.reserve(chunks.size());
    for (const auto& chunk : chunks)
      parts.push_back({chunk->value.children[c], chunk->value.offset, chunk->value.length, chunk});
    const ArrowSchema& column = *schema.value.children[c];
    columns.append(py::make_tuple(column.name ? column.name : "", arrow_column(column, parts)));
  }
  return columns;
}

}  // namespace

void add_arrow(py::module_& module) {
  module.def("arrow_columns", &arrow_columns, py::arg("table"),
             "The columns of anything with __arrow_c_stream__, as [(name, values)]: numbers as\n"
             "arrays (in place where they are one chunk without nulls; nulls are NaN), text and\n"
             "decoded dictionaries as lists of str, where nulls are None.");
}

}  // namespace semblance::python
