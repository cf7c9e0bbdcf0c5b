// SPDX-License-Identifier: MIT
#include "arrow_column.hpp"

#include <pybind11/numpy.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

namespace semblance::python {
namespace {

namespace py = pybind11;

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

  /// A text of up to 12 bytes lies in its view; of others the view has the place.
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

}  // namespace

py::object arrow_column(const ArrowSchema& schema, const std::vector<ArrowChunk>& chunks) {
  return schema.dictionary ? decoded_column(schema, chunks) : plain_column(schema, chunks);
}

}  // namespace semblance::python
