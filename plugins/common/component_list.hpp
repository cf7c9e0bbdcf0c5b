// SPDX-License-Identifier: MIT
#pragma once

#include <boost/preprocessor/cat.hpp>
#include <boost/preprocessor/seq/enum.hpp>
#include <boost/preprocessor/seq/for_each.hpp>
#include <boost/preprocessor/seq/transform.hpp>
#include <boost/preprocessor/variadic/to_seq.hpp>

#include "semblance/plugin.hpp"

#define SEMBLANCE_DECLARE(R, DATA, COMPONENT) ComponentEntry BOOST_PP_CAT(declare_, COMPONENT)();
#define SEMBLANCE_NAMED(S, FAMILY, COMPONENT) semblance::FAMILY::BOOST_PP_CAT(declare_, COMPONENT)

/// Exactly once per plugin of this project: its name and its components. Each is declared by the
/// function declare_COMPONENT() of the namespace semblance::FAMILY.
#define SEMBLANCE_COMPONENTS(NAME, FAMILY, ...)                                     \
  namespace semblance::FAMILY {                                                     \
  BOOST_PP_SEQ_FOR_EACH(SEMBLANCE_DECLARE, , BOOST_PP_VARIADIC_TO_SEQ(__VA_ARGS__)) \
  }                                                                                 \
  SEMBLANCE_PLUGIN(NAME, SEMBLANCE_VERSION, "MIT",                                  \
                   BOOST_PP_SEQ_ENUM(BOOST_PP_SEQ_TRANSFORM(                        \
                       SEMBLANCE_NAMED, FAMILY, BOOST_PP_VARIADIC_TO_SEQ(__VA_ARGS__))))
