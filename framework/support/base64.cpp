// SPDX-License-Identifier: MIT
#include "support/base64.hpp"

#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/binary_from_base64.hpp>
#include <boost/archive/iterators/transform_width.hpp>
#include <exception>

#include "semblance/error.hpp"

namespace semblance {

using namespace boost::archive::iterators;

std::string base64(std::string_view bytes) {
  using Letters = base64_from_binary<transform_width<const char*, 6, 8>>;
  std::string text(Letters(bytes.data()), Letters(bytes.data() + bytes.size()));
  return text.append((3 - bytes.size() % 3) % 3, '=');
}

std::string from_base64(std::string_view text) {
  using Bytes = transform_width<binary_from_base64<const char*>, 8, 6>;
  while (text.ends_with('=')) text.remove_suffix(1);
  const std::size_t bytes = text.size() * 6 / 8;
  try {
    return {Bytes(text.data()), Bytes(text.data() + bytes * 8 / 6)};
  } catch (const std::exception&) {
    throw Error("a text is not in base64");
  }
}

}  // namespace semblance
