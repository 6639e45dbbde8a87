# `cmake --install` in three parts: the program with its manual and completion, the program that trains, and for
# developers one shared library of all modules but the command line, the headers, and what find_package(Sextant) reads.
set(CMAKE_INSTALL_LIBDIR lib CACHE PATH "folder of libraries, below the prefix")  # the program looks in ../lib/sextant
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
  install(DIRECTORY ${home}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
endforeach()
install(TARGETS sextant_library EXPORT SextantTargets LIBRARY COMPONENT development)
install(EXPORT SextantTargets NAMESPACE Sextant:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Sextant
  COMPONENT development)
file(WRITE ${CMAKE_BINARY_DIR}/gen/SextantConfig.cmake
  "include(CMakeFindDependencyMacro)\nfind_dependency(nlohmann_json)\n"
  "include(\${CMAKE_CURRENT_LIST_DIR}/SextantTargets.cmake)\n")
write_basic_package_version_file(${CMAKE_BINARY_DIR}/gen/SextantConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/gen/SextantConfig.cmake ${CMAKE_BINARY_DIR}/gen/SextantConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Sextant COMPONENT development)

# The program writes its own manual and completion, from the declarations of its commands.
set(made ${CMAKE_BINARY_DIR}/gen/manual)
file(MAKE_DIRECTORY ${made})  # also where the program is called: no sextant.toml stands there
add_custom_command(OUTPUT ${made}/made
  COMMAND ${CMAKE_COMMAND} -E rm -rf man1
  COMMAND ${CMAKE_COMMAND} -E make_directory man1
  COMMAND sextant reference --man man1
  COMMAND sextant completion bash > sextant.bash
  COMMAND sextant completion zsh > _sextant
  COMMAND sextant completion fish > sextant.fish
  COMMAND ${CMAKE_COMMAND} -E touch made
  DEPENDS sextant WORKING_DIRECTORY ${made} COMMENT "Manual pages and completion")
add_custom_target(sextant_manual ALL DEPENDS ${made}/made)

install(TARGETS sextant RUNTIME COMPONENT program)
install(TARGETS sextant-clp LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/sextant COMPONENT program)
install(DIRECTORY ${made}/man1/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program
  PATTERN sextant-worker.1 EXCLUDE)
install(FILES ${made}/sextant.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME sextant
  COMPONENT program)
install(FILES ${made}/_sextant DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT program)
install(FILES ${made}/sextant.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT program)

install(TARGETS sextant-worker RUNTIME COMPONENT worker)
install(TARGETS sextant-loopback LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/sextant COMPONENT worker)
install(FILES ${made}/man1/sextant-worker.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT worker)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR}-worker RENAME copyright COMPONENT worker)
