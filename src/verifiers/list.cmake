# The verifiers of list.txt: sources that instantiate the interpreters for their types, and one source
# with the rows of all.

# An inlined verifier has a source of its own. The others share sources, the choice being a hash of the
# header's name: a line anywhere in the list compiles one source again. The salt keeps those that
# compile slowest apart.
set(SPECLAB_GROUPS 24 CACHE STRING "Sources that verifiers are compiled in")
set(salt 86)
set(SPECLAB_LISTED ${PROJECT_BINARY_DIR}/listed)
set(list ${PROJECT_SOURCE_DIR}/src/verifiers/list.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
file(STRINGS ${list} lines REGEX "^[^#]")
# Fuzz targets read and write the spec text of every verifier, and run none.
set(instantiate answer/instantiate.h)
if(SPECLAB_FUZZ)
  set(instantiate verifiers/row.h)
endif()
set(declared "")
set(rows "")
set(groups "")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^([a-z]+/)([a-z0-9_]+)\\.h +([A-Za-z0-9_]+)( +inlined)?$")
    message(FATAL_ERROR "${list}: '${line}' is not a header, a type and perhaps inlined")
  endif()
  set(header verifiers/${CMAKE_MATCH_1}${CMAKE_MATCH_2}.h)
  set(type ${CMAKE_MATCH_3})
  if(CMAKE_MATCH_4)
    set(group ${CMAKE_MATCH_2})
    set(inlined ", Made::inlined")
  else()
    string(MD5 hash ${salt}${CMAKE_MATCH_2})
    string(SUBSTRING ${hash} 0 6 hash)
    math(EXPR group "0x${hash} % ${SPECLAB_GROUPS}")
    set(inlined "")
  endif()
  list(APPEND groups ${group})
  list(APPEND includes_${group} "#include \"${header}\"")
  string(APPEND declared "const VerifierRow& row_of_${type}();\n")
  list(APPEND rows "&row_of_${type}()")
  if(SPECLAB_FUZZ)
    set(row "row_without_interpreters<${type}>()")
  else()
    set(row "verifier_row<${type}${inlined}>()")
  endif()
  string(APPEND functions_${group} "
const VerifierRow& row_of_${type}();
const VerifierRow& row_of_${type}() {
  static const VerifierRow row = ${row};
  return row;
}
")
endforeach()
list(REMOVE_DUPLICATES groups)
set(sources ${SPECLAB_LISTED}/rows.cc)
foreach(group IN LISTS groups)
  list(REMOVE_DUPLICATES includes_${group})
  list(JOIN includes_${group} "\n" text)
  set(source ${SPECLAB_LISTED}/verifiers_${group}.cc)
  list(APPEND sources ${source})
  file(CONFIGURE OUTPUT ${source} CONTENT
"#include \"${instantiate}\"
${text}

namespace speclab {
${functions_${group}}
}  // namespace speclab
")
endforeach()
list(JOIN rows ", " rows)
file(CONFIGURE OUTPUT ${SPECLAB_LISTED}/rows.cc CONTENT
"#include <vector>

#include \"answer/fault_rows.h\"

namespace speclab {

${declared}
std::span<const VerifierRow* const> listed_verifiers() {
  static const std::vector<const VerifierRow*> all = [] {
    std::vector<const VerifierRow*> rows{${rows}};
    for (const VerifierRow& row : fault_rows()) rows.push_back(&row);
    return rows;
  }();
  return all;
}

}  // namespace speclab
")

# What registers the verifiers (main, the Python module, the tests) links this library.
add_library(speclab_listed STATIC ${sources} ${SPECLAB_FAULT_ROWS})
target_link_libraries(speclab_listed PUBLIC speclab_answer)
if(SPECLAB_PRECOMPILE)
  target_precompile_headers(speclab_listed PRIVATE ${PROJECT_SOURCE_DIR}/src/${instantiate})
endif()
