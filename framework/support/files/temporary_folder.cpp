// SPDX-License-Identifier: MIT
#include "support/files/temporary_folder.hpp"

#include <stdlib.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "semblance/error.hpp"

namespace semblance {

TemporaryFolder::TemporaryFolder() {
  const std::filesystem::path parent = std::filesystem::temp_directory_path();
  std::string name = (parent / "semblance-XXXXXX").string();
  if (!::mkdtemp(name.data()))
    throw Error("cannot make a folder in '" + parent.string() +
                "': " + std::generic_category().message(errno) +
                "; set TMPDIR to a folder that can be written to");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace semblance
