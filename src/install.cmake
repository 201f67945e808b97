# What is installed: the program, the experiments, and the headers and the package for plugins.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS speclab EXPORT speclabTargets RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY experiments/ DESTINATION ${CMAKE_INSTALL_DATADIR}/speclab/experiments
        FILES_MATCHING PATTERN "*.toml" PATTERN "*.json")
install(FILES README.md LICENSE CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(SPECLAB_HEADERS ${CMAKE_INSTALL_INCLUDEDIR}/speclab)
foreach(room base model draft theory verifiers exact simulate optimum answer)
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
