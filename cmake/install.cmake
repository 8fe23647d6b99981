# SPDX-License-Identifier: Apache-2.0
include(CMakePackageConfigHelpers)

set(situ_package_dir ${CMAKE_INSTALL_DATADIR}/cmake/situ)

install(DIRECTORY include/situ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(TARGETS situ EXPORT situTargets)
install(EXPORT situTargets NAMESPACE situ:: DESTINATION ${situ_package_dir})

configure_package_config_file(cmake/situConfig.cmake.in ${PROJECT_BINARY_DIR}/situConfig.cmake
                              INSTALL_DESTINATION ${situ_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/situConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/situConfig.cmake ${PROJECT_BINARY_DIR}/situConfigVersion.cmake
              cmake/situ_settings.cmake
        DESTINATION ${situ_package_dir})
