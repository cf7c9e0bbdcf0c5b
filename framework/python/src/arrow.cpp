// SPDX-License-Identifier: MIT
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bindings.hpp"

/// The Arrow C data and stream interfaces,
/// https://arrow.apache.org/docs/format/CDataInterface.html: their structs are an agreement between
/// programs that share no library. Names are the agreement's.
extern "C" {

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;  // -1: not counted
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};
}

namespace semblance::python {

namespace {

namespace py = pybind11;

/// A column in one chunk of a table: its rows begin at `offset`, besides the array's own.
struct ArrowChunk {
  const ArrowArray* array = nullptr;
  std::int64_t offset = 0;
  std::int64_t length = 0;
  std::shared_ptr<void> owner;  ///< keeps the array alive
};

/// Row i of a chunk is value `first + i` of its buffers.
std::int64_t first_value(const ArrowChunk& chunk) { return chunk.array->offset + chunk.offset; }

const void* buffer_of(const ArrowChunk& chunk, std::int64_t which, const char* column) {
  if (which >= chunk.array->n_buffers)
    throw py::value_error("the Arrow column '" + std::string(column) + "' lacks a buffer");
  return chunk.array->buffers[which];
}

bool bit(const void* bits, std::int64_t at) {
  return (static_cast<const std::uint8_t*>(bits)[at / 8] >> (at % 8)) & 1;
}

/// Whether each row is there.
class Validity {
 public:
  Validity(const ArrowChunk& chunk, const char* column)
      : bits_(chunk.array->null_count == 0 ? nullptr : buffer_of(chunk, 0, column)),
        first_(first_value(chunk)) {}
  bool operator()(std::int64_t row) const { return !bits_ || bit(bits_, first_ + row); }

  bool all(std::int64_t rows) const {
    for (std::int64_t i = 0; bits_ && i < rows; ++i)
      if (!(*this)(i)) return false;
    return true;
  }

 private:
  const void* bits_;
  std::int64_t first_;
};

std::int64_t rows_of(const std::vector<ArrowChunk>& chunks) {
  std::int64_t rows = 0;
  for (const ArrowChunk& chunk : chunks) rows += chunk.length;
  return rows;
}

bool complete(const std::vector<ArrowChunk>& chunks, const char* column) {
  for (const ArrowChunk& chunk : chunks)
    if (!Validity(chunk, column).all(chunk.length)) return false;
  return true;
}

/// The values of one chunk as an array that keeps the chunk alive.
template <class T>
py::array in_place(const ArrowChunk& chunk, const char* column) {
  const auto* values = static_cast<const T*>(buffer_of(chunk, 1, column)) + first_value(chunk);
  auto* owner = new std::shared_ptr<void>(chunk.owner);
  const py::capsule base(owner, [](void* p) { delete static_cast<std::shared_ptr<void>*>(p); });
  py::array result(py::dtype::of<T>(), {chunk.length}, {}, values, base);
  result.attr("setflags")(py::arg("write") = false);
  return result;
}

template <class To, class From>
py::array joined(const std::vector<ArrowChunk>& chunks, const char* column) {
  py::array_t<To> result(rows_of(chunks));
  To* to = result.mutable_data();
  for (const ArrowChunk& chunk : chunks) {
    const Validity is_there(chunk, column);
    const auto* values = static_cast<const From*>(buffer_of(chunk, 1, column)) + first_value(chunk);
    for (std::int64_t i = 0; i < chunk.length; ++i)
      *to++ = is_there(i) ? static_cast<To>(values[i]) : std::numeric_limits<To>::quiet_NaN();
  }
  return result;
}

template <class T>
py::array numbers(const std::vector<ArrowChunk>& chunks, const char* column) {
  if (complete(chunks, column)) {
    if (chunks.size() == 1 && chunks[0].length > 0) return in_place<T>(chunks[0], column);
    return joined<T, T>(chunks, column);
  }
  if constexpr (std::is_floating_point_v<T>)
    return joined<T, T>(chunks, column);
  else
    return joined<double, T>(chunks, column);
}

/// Half precision: bits that NumPy can read.
py::array halves(const std::vector<ArrowChunk>& chunks, const char* column) {
  const py::array bits = joined<std::uint16_t, std::uint16_t>(chunks, column);
  py::array values = bits.attr("view")("float16").attr("astype")("float32");
  std::int64_t row = 0;
  auto* to = static_cast<float*>(values.mutable_data());
  for (const ArrowChunk& chunk : chunks) {
    const Validity is_there(chunk, column);
    for (std::int64_t i = 0; i < chunk.length; ++i, ++row)
      if (!is_there(i)) to[row] = std::numeric_limits<float>::quiet_NaN();
  }
  return values;
}

template <class T>
py::array truth_values(const std::vector<ArrowChunk>& chunks, const char* column) {
  py::array_t<T> result(rows_of(chunks));
  T* to = result.mutable_data();
  for (const ArrowChunk& chunk : chunks) {
    const Validity is_there(chunk, column);
    const void* bits = buffer_of(chunk, 1, column);
    for (std::int64_t i = 0; i < chunk.length; ++i)
      *to++ = is_there(i) ? static_cast<T>(bit(bits, first_value(chunk) + i))
                          : std::numeric_limits<T>::quiet_NaN();
  }
  return result;
}

/// Reads texts of a chunk.
class Texts {
 public:
  Texts(const ArrowChunk& chunk, std::string_view format, const char* column)
      : chunk_(chunk), format_(format), first_(first_value(chunk)), is_there_(chunk, column) {
    offsets_ = buffer_of(chunk, 1, column);
    if (format != "vu") values_ = static_cast<const char*>(buffer_of(chunk, 2, column));
  }

  py::object operator()(std::int64_t row) const {
    if (!is_there_(row)) return py::none();
    const std::string_view text = value(first_ + row);
    return py::str(text.data(), text.size());
  }

 private:
  std::string_view value(std::int64_t at) const {
    if (format_ == "u") return between(static_cast<const std::int32_t*>(offsets_), at);
    if (format_ == "U") return between(static_cast<const std::int64_t*>(offsets_), at);
    return viewed(static_cast<const char*>(offsets_) + 16 * at);
  }

  template <class Offset>
  std::string_view between(const Offset* offsets, std::int64_t at) const {
    return {values_ + offsets[at], static_cast<std::size_t>(offsets[at + 1] - offsets[at])};
  }

  /// A text of up to 12 bytes is stored in its view; the view of a longer one has its place.
  std::string_view viewed(const char* view) const {
    std::int32_t parts[4];
    std::memcpy(parts, view, sizeof parts);
    const auto size = static_cast<std::size_t>(parts[0]);
    if (size <= 12) return {view + 4, size};
    const auto* buffer = static_cast<const char*>(chunk_.array->buffers[2 + parts[2]]);
    return {buffer + parts[3], size};
  }

  const ArrowChunk& chunk_;
  std::string_view format_;
  std::int64_t first_;
  Validity is_there_;
  const void* offsets_ = nullptr;
  const char* values_ = nullptr;
};

py::list texts(const ArrowSchema& schema, const std::vector<ArrowChunk>& chunks) {
  py::list all;
  for (const ArrowChunk& chunk : chunks) {
    const Texts text(chunk, schema.format, schema.name);
    for (std::int64_t i = 0; i < chunk.length; ++i) all.append(text(i));
  }
  return all;
}

py::object plain_column(const ArrowSchema& schema, const std::vector<ArrowChunk>& chunks) {
  const std::string_view format = schema.format;
  const char* name = schema.name ? schema.name : "";
  if (format == "g") return numbers<double>(chunks, name);
  if (format == "f") return numbers<float>(chunks, name);
  if (format == "e") return halves(chunks, name);
  if (format == "c") return numbers<std::int8_t>(chunks, name);
  if (format == "C") return numbers<std::uint8_t>(chunks, name);
  if (format == "s") return numbers<std::int16_t>(chunks, name);
  if (format == "S") return numbers<std::uint16_t>(chunks, name);
  if (format == "i") return numbers<std::int32_t>(chunks, name);
  if (format == "I") return numbers<std::uint32_t>(chunks, name);
  if (format == "l") return numbers<std::int64_t>(chunks, name);
  if (format == "L") return numbers<std::uint64_t>(chunks, name);
  if (format == "b") {
    if (complete(chunks, name)) return truth_values<bool>(chunks, name);
    return truth_values<double>(chunks, name);
  }
  if (format == "u" || format == "U" || format == "vu") return texts(schema, chunks);
  throw py::type_error("the column '" + std::string(name) + "' has the Arrow type '" +
                       schema.format +
                       "': give numbers, truth values or text (cast it, or drop it)");
}

py::object arrow_column(const ArrowSchema& schema, const std::vector<ArrowChunk>& chunks);

/// Each chunk has a dictionary of its own.
py::object decoded_column(const ArrowSchema& schema, const std::vector<ArrowChunk>& chunks) {
  ArrowSchema indices = schema;
  indices.dictionary = nullptr;
  py::list all;
  bool text = true;
  for (const ArrowChunk& chunk : chunks) {
    const ArrowArray* dictionary = chunk.array->dictionary;
    if (!dictionary) throw py::value_error("an Arrow dictionary is missing");
    const ArrowChunk values{dictionary, 0, dictionary->length, chunk.owner};
    const py::object known = arrow_column(*schema.dictionary, {values});
    text = py::isinstance<py::list>(known);
    const py::object places = plain_column(indices, {chunk});
    const Validity is_there(chunk, schema.name);
    for (std::int64_t i = 0; i < chunk.length; ++i)
      all.append(is_there(i) ? py::object(known[py::int_(places[py::int_(i)])])
                 : text      ? py::object(py::none())
                             : py::float_(NAN));
  }
  if (text) return all;
  return py::module_::import("numpy").attr("asarray")(all);
}

/// The column as an array of NumPy where it holds numbers or truth values (in place where it is one
/// chunk of numbers without nulls; with nulls in floating point, where they are NaN), and as a list
/// of str where it holds text, where a null is None. Raises TypeError for other types.
py::object arrow_column(const ArrowSchema& schema, const std::vector<ArrowChunk>& chunks) {
  return schema.dictionary ? decoded_column(schema, chunks) : plain_column(schema, chunks);
}

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
