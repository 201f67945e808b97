# Targets that check the sources themselves:
#   format        rewrites every C++ file in the project's style
#   format-check  fails where `format` would change something
#   tidy          clang-tidy on every source; a file is checked again only when it, a header or
#                 .clang-tidy has changed. One file alone: the target tidy/<path>.ok
# The style is that of clang-format 14; another version may break lines elsewhere.

find_program(SPECLAB_CLANG_FORMAT NAMES clang-format-14 clang-format)
find_program(SPECLAB_CLANG_TIDY NAMES clang-tidy-14 clang-tidy)

file(GLOB_RECURSE checked_files CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/src/*.h ${PROJECT_SOURCE_DIR}/src/*.cc ${PROJECT_SOURCE_DIR}/src/*.inc
     ${PROJECT_SOURCE_DIR}/apps/*.h ${PROJECT_SOURCE_DIR}/apps/*.cc ${PROJECT_SOURCE_DIR}/apps/*.cpp
     ${PROJECT_SOURCE_DIR}/tests/*.h ${PROJECT_SOURCE_DIR}/tests/*.cc
     ${PROJECT_SOURCE_DIR}/docs/*.h ${PROJECT_SOURCE_DIR}/python/*.h
     ${PROJECT_SOURCE_DIR}/python/*.cc)

if(SPECLAB_CLANG_FORMAT)
  add_custom_target(format COMMAND ${SPECLAB_CLANG_FORMAT} -i ${checked_files} VERBATIM)
  add_custom_target(format-check
                    COMMAND ${SPECLAB_CLANG_FORMAT} --dry-run -Werror ${checked_files} VERBATIM)
endif()

if(SPECLAB_CLANG_TIDY)
  set(sources ${checked_files})
  list(FILTER sources INCLUDE REGEX "^${PROJECT_SOURCE_DIR}/(src|apps)/.*\\.(cc|cpp)$")
  set(headers ${checked_files})
  list(FILTER headers INCLUDE REGEX "^${PROJECT_SOURCE_DIR}/(src|apps)/.*\\.(h|inc)$")
  # The commands as clang reads them: one a source, without g++'s precompiled header.
  set(commands ${PROJECT_BINARY_DIR}/tidy/compile_commands.json)
  add_custom_command(
    OUTPUT ${commands}
    COMMAND python3 ${PROJECT_SOURCE_DIR}/tests/separate_commands.py ${PROJECT_BINARY_DIR} > ${commands}
    DEPENDS ${PROJECT_BINARY_DIR}/compile_commands.json
            ${PROJECT_SOURCE_DIR}/tests/separate_commands.py VERBATIM)
  set(stamps)
  foreach(source ${sources})
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
    set(stamp ${PROJECT_BINARY_DIR}/tidy/${name}.ok)
    get_filename_component(folder ${stamp} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(
      OUTPUT ${stamp}
      COMMAND ${SPECLAB_CLANG_TIDY} --quiet --extra-arg=-Wno-unknown-warning-option
              -p ${PROJECT_BINARY_DIR}/tidy ${source}
      COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
      DEPENDS ${source} ${commands} ${headers} ${PROJECT_SOURCE_DIR}/.clang-tidy
      COMMENT "clang-tidy ${name}" VERBATIM)
    list(APPEND stamps ${stamp})
  endforeach()
  add_custom_target(tidy DEPENDS ${stamps})
endif()
