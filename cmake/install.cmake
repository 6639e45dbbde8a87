# `cmake --install`: the programs, one shared library of all modules but the command line, the headers, and the files that
# find_package(Sextant) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY SEXTANT_MODULES)
list(REMOVE_ITEM modules cli engine)
list(TRANSFORM modules PREPEND sextant_ OUTPUT_VARIABLE libraries)
list(JOIN libraries "," joined)

file(WRITE ${CMAKE_BINARY_DIR}/gen/library.cpp "// The library is made of its modules.\n")
add_library(sextant_library SHARED ${CMAKE_BINARY_DIR}/gen/library.cpp)
set_target_properties(sextant_library PROPERTIES OUTPUT_NAME sextant EXPORT_NAME sextant VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR} UNITY_BUILD OFF)
target_link_libraries(sextant_library PRIVATE ${libraries})
set_property(TARGET sextant_library PROPERTY LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,${joined}")
target_compile_features(sextant_library INTERFACE cxx_std_20)
target_include_directories(sextant_library INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(sextant_library INTERFACE nlohmann_json::nlohmann_json)

foreach(library IN LISTS libraries)
  get_target_property(home ${library} SEXTANT_FOLDER)
  install(DIRECTORY ${home}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endforeach()
install(TARGETS sextant sextant-worker RUNTIME)
install(TARGETS sextant-clp sextant-loopback LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/sextant)
install(TARGETS sextant_library EXPORT SextantTargets LIBRARY)
install(EXPORT SextantTargets NAMESPACE Sextant:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Sextant)
file(WRITE ${CMAKE_BINARY_DIR}/gen/SextantConfig.cmake
  "include(CMakeFindDependencyMacro)\nfind_dependency(nlohmann_json)\n"
  "include(\${CMAKE_CURRENT_LIST_DIR}/SextantTargets.cmake)\n")
write_basic_package_version_file(${CMAKE_BINARY_DIR}/gen/SextantConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/gen/SextantConfig.cmake ${CMAKE_BINARY_DIR}/gen/SextantConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Sextant)
