# The Debian package, made by `cpack` in the build's folder. What the program is linked with is found by
# dpkg-shlibdeps; what plugins and figures need besides is suggested, as not every user wants them.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME speclab)
set(CPACK_PACKAGE_CONTACT "The speclab developers <noreply@speclab.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/package)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
    GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS OFF)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
    "g++, cmake, pkg-config, libboost-dev, libgmp-dev, libfmt-dev, librandom123-dev, python3-numpy, python3-matplotlib")
include(CPack)
