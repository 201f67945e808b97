# What is installed: the program with its man pages and completion, what draws, the experiments, the
# scripts of the figures, the manual, and for plugins the headers and what CMake and pkg-config find them
# by. All of it is found from where it is, so that it may be moved as a whole.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS speclab EXPORT speclabTargets RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY experiments/ DESTINATION ${CMAKE_INSTALL_DATADIR}/speclab/experiments
        FILES_MATCHING PATTERN "*.toml" PATTERN "*.json")
install(DIRECTORY ${SPECLAB_DRAWER} DESTINATION ${CMAKE_INSTALL_DATADIR}/speclab/python/speclab
        FILES_MATCHING PATTERN "*.py")
install(DIRECTORY plots/ DESTINATION ${CMAKE_INSTALL_DATADIR}/speclab/plots
        FILES_MATCHING PATTERN "*.py" PATTERN "*.html" PATTERN "*.css" PATTERN "gallery" EXCLUDE)
install(FILES README.md LICENSE CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY plots/gallery DESTINATION ${CMAKE_INSTALL_DOCDIR}/plots
        FILES_MATCHING PATTERN "*.svg")
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
        FILES_MATCHING PATTERN "*.md" PATTERN "*.ipynb" PATTERN "plugin/*.h" PATTERN "CMakeLists.txt"
        PATTERN "_static" EXCLUDE)

# What the program says of itself, as the man pages and completion of its commands.
set(pages ${PROJECT_BINARY_DIR}/share)
add_custom_command(
  OUTPUT ${pages}/man/speclab.1
  COMMAND bash ${PROJECT_SOURCE_DIR}/src/man.sh $<TARGET_FILE:speclab> ${pages}/man
  DEPENDS speclab ${PROJECT_SOURCE_DIR}/src/man.sh COMMENT "Writing man pages" VERBATIM)
add_custom_command(
  OUTPUT ${pages}/bash/speclab ${pages}/zsh/_speclab
  COMMAND ${CMAKE_COMMAND} -E make_directory ${pages}/bash ${pages}/zsh
  COMMAND speclab completion bash --output ${pages}/bash/speclab
  COMMAND speclab completion zsh --output ${pages}/zsh/_speclab
  DEPENDS speclab COMMENT "Writing completion" VERBATIM)
add_custom_target(speclab_pages ALL DEPENDS ${pages}/man/speclab.1 ${pages}/bash/speclab)
install(DIRECTORY ${pages}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL
        FILES_MATCHING PATTERN "*.1")
install(FILES ${pages}/bash/speclab OPTIONAL
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${pages}/zsh/_speclab OPTIONAL
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)

set(SPECLAB_HEADERS ${CMAKE_INSTALL_INCLUDEDIR}/speclab)
foreach(room base system document model draft train theory optimum verifiers run recorded exact simulate prove answer)
  install(DIRECTORY src/${room}/ DESTINATION ${SPECLAB_HEADERS}/${room}
          FILES_MATCHING PATTERN "*.h")
endforeach()
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/speclab)
install(EXPORT speclabTargets NAMESPACE speclab:: DESTINATION ${package})
configure_package_config_file(src/speclabConfig.cmake.in ${PROJECT_BINARY_DIR}/speclabConfig.cmake
                              INSTALL_DESTINATION ${package} PATH_VARS SPECLAB_HEADERS)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/speclabConfigVersion.cmake
                                 VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/speclabConfig.cmake
              ${PROJECT_BINARY_DIR}/speclabConfigVersion.cmake DESTINATION ${package})

set(pkgconfig ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH SPECLAB_PC_PREFIX ${CMAKE_INSTALL_PREFIX}/${pkgconfig} ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" SPECLAB_PC_PREFIX ${SPECLAB_PC_PREFIX})
# As a header: a text in quotation marks on the command line is read differently by shells and make.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/speclab_version.h
     CONTENT "#pragma once\n#define SPECLAB_VERSION \"${PROJECT_VERSION}\"\n" @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/speclab_version.h DESTINATION ${SPECLAB_HEADERS})
configure_file(src/speclab.pc.in ${PROJECT_BINARY_DIR}/speclab.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/speclab.pc DESTINATION ${pkgconfig})
