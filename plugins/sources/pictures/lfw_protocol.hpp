// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace semblance::sources {

/// Number of images of each person.
using PeopleCounts = std::map<std::string, std::size_t>;

/// The people of a view 1 file (peopleDevTrain.txt): a line with their number, then one
/// "NAME<tab>IMAGES" each. Throws DataError.
PeopleCounts read_people(const std::string& file);

/// The people of each fold of a file of pairs, with the largest image number named there. First
/// line: "FOLDS<tab>PAIRS"; then for each fold that many lines of "NAME<tab>I<tab>J" and that many
/// of "NAME<tab>I<tab>OTHER<tab>J". Throws DataError.
std::vector<PeopleCounts> read_pair_people(const std::string& file);

/// A picture's place in the data set: lfwa/NAME/NAME_0012.jpg.
struct FaceName {
  std::string person;
  std::size_t number = 0;  ///< from 1
};

/// Nothing if the name has another form.
std::optional<FaceName> known_face_name(const std::string& picture);

/// Throws DataError naming `path` and the picture if its name has another form.
FaceName face_name(const std::string& path, const std::string& picture);

}  // namespace semblance::sources
