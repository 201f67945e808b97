# The verifiers of list.txt: sources that instantiate every interpreter for their types, some types a
# source, one source with the rows of all, and for tests one header with all their types.

# What interpreters share is instantiated once a source: four types a source take two thirds of the
# time that they take alone, eight of a sanitizer's a third, and a new verifier takes those beside it
# along.
set(SPECLAB_TOGETHER 4 CACHE STRING "Verifiers that are compiled in one source")
set(SPECLAB_LISTED ${PROJECT_BINARY_DIR}/listed)
set(list ${PROJECT_SOURCE_DIR}/src/verifiers/list.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
file(STRINGS ${list} lines REGEX "^[^#]")
set(declared "")
set(rows "")
set(types "")
set(headers "")
set(sources ${SPECLAB_LISTED}/rows.cc)
set(includes "")
set(functions "")
set(together 0)
# Writes the source of the types collected in `includes` and `functions`.
macro(speclab_write_source)
  list(REMOVE_DUPLICATES includes)
  list(JOIN includes "\n" text)
  list(LENGTH sources number)
  set(source ${SPECLAB_LISTED}/verifiers_${number}.cc)
  list(APPEND sources ${source})
  file(CONFIGURE OUTPUT ${source} CONTENT
"#include \"answer/instantiate.h\"
${text}

namespace speclab {
${functions}
}  // namespace speclab
")
  set(includes "")
  set(functions "")
  set(together 0)
endmacro()
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^([a-z]+/)?([a-z0-9_]+\\.h) +([A-Za-z0-9_]+)$")
    message(FATAL_ERROR "${list}: '${line}' is not a header and a type")
  endif()
  set(room ${CMAKE_MATCH_1})
  if(NOT room)
    set(room verifiers/)
  endif()
  set(header ${room}${CMAKE_MATCH_2})
  set(type ${CMAKE_MATCH_3})
  list(APPEND headers "#include \"${header}\"")
  list(APPEND types "const ${type}*")
  string(APPEND declared "const VerifierRow& row_of_${type}();\n")
  list(APPEND rows "&row_of_${type}()")
  list(APPEND includes "#include \"${header}\"")
  string(APPEND functions "
const VerifierRow& row_of_${type}();
const VerifierRow& row_of_${type}() {
  static const VerifierRow row = verifier_row<${type}>();
  return row;
}
")
  math(EXPR together "${together} + 1")
  if(together GREATER_EQUAL SPECLAB_TOGETHER)
    speclab_write_source()
  endif()
endforeach()
if(together GREATER 0)
  speclab_write_source()
endif()
list(JOIN rows ", " rows)
list(JOIN types ", " types)
list(REMOVE_DUPLICATES headers)
list(JOIN headers "\n" headers)
file(CONFIGURE OUTPUT ${SPECLAB_LISTED}/rows.cc CONTENT
"#include <vector>

#include \"verifiers/registry.h\"

namespace speclab {

${declared}
std::span<const VerifierRow* const> listed_verifiers() {
  static const std::vector<const VerifierRow*> rows{${rows}};
  return rows;
}

}  // namespace speclab
")
file(CONFIGURE OUTPUT ${SPECLAB_LISTED}/listed/verifiers.h CONTENT
"#pragma once

#include <tuple>

${headers}

namespace speclab {
using ListedPrograms = std::tuple<${types}>;
}  // namespace speclab
")

if(SPECLAB_FUZZ)
  add_library(speclab_listed STATIC ${PROJECT_SOURCE_DIR}/tests/fuzz/rows.cc)
  target_include_directories(speclab_listed PRIVATE ${SPECLAB_LISTED})
else()
  add_library(speclab_listed STATIC ${sources})
endif()
target_link_libraries(speclab_listed PUBLIC speclab_answer)
if(SPECLAB_PRECOMPILE)
  target_precompile_headers(speclab_listed PRIVATE
                            ${PROJECT_SOURCE_DIR}/src/answer/instantiate.h)
endif()
# The registry asks for the rows, which stand above it: whoever links one of them links both.
target_link_libraries(speclab_verifiers INTERFACE speclab_listed)
