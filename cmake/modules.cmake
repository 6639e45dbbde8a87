# A module is a folder with include/, src/ and tests/; a plug-in is a file in one of its folders.
# No list of files is kept by hand: CMake reads the folders.
if(SEXTANT_TESTS)
  include(GoogleTest)
  find_package(GTest REQUIRED)
  add_custom_target(unit_tests)  # every module's tests and corpus replays, for the sanitizer build
  # The same of the modules that read what others wrote and handle bytes, processes and signals themselves: what
  # sanitizers find is most likely there, and they make a third of the build.
  add_custom_target(reader_tests)
  set(SEXTANT_READERS core http catalog clusters nets jobs records spans input measure)
  add_custom_target(fuzzers)
endif()

# Under the sanitizers their tests take minutes unless the library is optimised a little; for the others -O0 is less work.
set(SEXTANT_CALCULATORS explore llm predict queueing scaling simulate)

# sextant_module(GROUP/NAME DEPENDS a b): library sextant_NAME from GROUP/NAME/src, and NAME_tests from GROUP/NAME/tests.
function(sextant_module folder)
  cmake_parse_arguments(M "" "" "DEPENDS" ${ARGN})
  list(TRANSFORM M_DEPENDS PREPEND sextant_)
  get_filename_component(name ${folder} NAME)
  file(GLOB src CONFIGURE_DEPENDS ${folder}/src/*.cpp)
  add_library(sextant_${name} STATIC ${src})
  set_target_properties(sextant_${name} PROPERTIES SEXTANT_FOLDER ${folder})
  target_include_directories(sextant_${name} PUBLIC ${folder}/include)
  target_link_libraries(sextant_${name} PUBLIC ${M_DEPENDS})
  if(SEXTANT_SANITIZE AND name IN_LIST SEXTANT_CALCULATORS)
    target_compile_options(sextant_${name} PRIVATE -O1)
    sextant_reuse_headers(sextant_${name} sextant_optimised_headers)
  else()
    sextant_reuse_headers(sextant_${name} sextant_library_headers)
  endif()
  # What puts words on a page takes a fifth less time to compile this way, and no longer to run that anybody could see.
  if(folder MATCHES "^front/" AND CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(sextant_${name} PRIVATE -O1)
  endif()
  set_property(GLOBAL APPEND PROPERTY SEXTANT_MODULES ${name})
  if(SEXTANT_TESTS)
    sextant_module_tests(${name} ${folder})
    sextant_module_fuzzers(${name} ${folder})
  endif()
endfunction()

function(sextant_module_tests name folder)
  file(GLOB tests CONFIGURE_DEPENDS ${folder}/tests/*.cpp)
  if(NOT tests)
    return()
  endif()
  add_executable(${name}_tests ${tests})
  target_include_directories(${name}_tests PRIVATE ${folder}/src ${CMAKE_SOURCE_DIR}/tests/support)
  target_link_libraries(${name}_tests PRIVATE sextant_${name} GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name}_tests PRIVATE
    SEXTANT_SOURCE_DIR="${CMAKE_SOURCE_DIR}" SEXTANT_BINARY_DIR="${CMAKE_BINARY_DIR}")
  target_compile_options(${name}_tests PRIVATE -O0)  # half the time to compile; the library is optimised
  sextant_reuse_headers(${name}_tests sextant_test_headers)
  add_dependencies(unit_tests ${name}_tests)
  if(name IN_LIST SEXTANT_READERS)
    add_dependencies(reader_tests ${name}_tests)
  endif()
  gtest_discover_tests(${name}_tests DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS unit.${name} TIMEOUT 600)
endfunction()

# NAME/fuzz/X.cpp defines LLVMFuzzerTestOneInput; its corpus is NAME/fuzz/corpus/X/.
# With SEXTANT_FUZZ each is a fuzzer; otherwise one program of the module, replay_NAME, replays the corpora as tests.
function(sextant_module_fuzzers name folder)
  file(GLOB targets CONFIGURE_DEPENDS ${folder}/fuzz/*.cpp)
  if(NOT targets)
    return()
  endif()
  set(included "")
  set(table "")
  foreach(file IN LISTS targets)
    get_filename_component(stem ${file} NAME_WE)
    if(SEXTANT_FUZZ)
      add_executable(fuzz_${name}_${stem} ${file})
      target_compile_options(fuzz_${name}_${stem} PRIVATE -fsanitize=fuzzer)
      target_link_options(fuzz_${name}_${stem} PRIVATE -fsanitize=fuzzer)
      target_include_directories(fuzz_${name}_${stem} PRIVATE ${folder}/src ${CMAKE_SOURCE_DIR}/tests/support)
      target_link_libraries(fuzz_${name}_${stem} PRIVATE sextant_${name})
      add_dependencies(fuzzers fuzz_${name}_${stem})
      set_target_properties(fuzz_${name}_${stem} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzzers)
    else()
      string(APPEND included "#define LLVMFuzzerTestOneInput fuzz_${stem}\n#include \"${file}\"\n"
        "#undef LLVMFuzzerTestOneInput\n")
      string(APPEND table "{\"${stem}\", fuzz_${stem}}, ")
      add_test(NAME fuzz-corpus.${name}.${stem}
        COMMAND replay_${name} ${CMAKE_SOURCE_DIR}/${folder}/fuzz/corpus/${stem})
      set_tests_properties(fuzz-corpus.${name}.${stem} PROPERTIES LABELS corpus TIMEOUT 300)
    endif()
  endforeach()
  if(NOT SEXTANT_FUZZ)
    sextant_replay(${name} ${folder} "${included}" "${table}")
  endif()
endfunction()

function(sextant_replay name folder included table)
  set(made ${CMAKE_BINARY_DIR}/gen/${name}/replay.cpp)
  file(CONFIGURE OUTPUT ${made} @ONLY CONTENT "// Made by cmake/modules.cmake.
@included@
#include \"replay_corpus.h\"

int main(int argc, char** argv) {
  return sextant::test::replay_corpus({@table@}, argc, argv);
}
")
  add_executable(replay_${name} ${made})
  set_target_properties(replay_${name} PROPERTIES UNITY_BUILD OFF)
  target_compile_options(replay_${name} PRIVATE -O0)
  target_include_directories(replay_${name} PRIVATE ${folder}/src ${CMAKE_SOURCE_DIR}/tests/support)
  target_link_libraries(replay_${name} PRIVATE sextant_${name})
  add_dependencies(unit_tests replay_${name})
  if(name IN_LIST SEXTANT_READERS)
    add_dependencies(reader_tests replay_${name})
  endif()
endfunction()

# sextant_plugins(MODULE FOLDER INFO Struct HEADER file.h [PREFIX x] [REGISTRY y]): every MODULE/FOLDER/z.cpp is built
# in. It defines std::vector<Struct> plugin() in the namespace sextant::MODULE::PREFIX_z; the registry of all of them,
# const Registry<Struct>& REGISTRY(), is made here and declared in the header. `list` and `describe` know it by
# Struct::kKind. PREFIX is FOLDER and REGISTRY is FOLDER unless given; with TABLE there is no registry, but
# std::vector<Struct> builtin_FOLDER().
function(sextant_plugins module folder)
  cmake_parse_arguments(P "TABLE" "INFO;HEADER;PREFIX;REGISTRY" "" ${ARGN})
  foreach(name PREFIX REGISTRY)
    if(NOT P_${name})
      set(P_${name} ${folder})
    endif()
  endforeach()
  get_target_property(home sextant_${module} SEXTANT_FOLDER)
  file(GLOB files CONFIGURE_DEPENDS ${home}/${folder}/*.cpp)
  set(declarations "")
  set(functions "")
  foreach(file IN LISTS files)
    get_filename_component(stem ${file} NAME_WE)
    string(APPEND declarations
      "namespace ${P_PREFIX}_${stem} {\nstd::vector<${P_INFO}> plugin();\n}\n")
    list(APPEND functions "${P_PREFIX}_${stem}::plugin")
  endforeach()
  list(JOIN functions ",\n      " functions)
  set(gathered "gather<${P_INFO}>({\n      ${functions}})")
  if(P_TABLE)
    set(table "std::vector<${P_INFO}> builtin_${folder}() {\n  return ${gathered}\;\n}")
  else()
    string(CONCAT table "const Registry<${P_INFO}>& ${P_REGISTRY}() {\n"
      "  static const Registry<${P_INFO}> registry(${P_INFO}::kKind.noun, ${gathered}, ${P_INFO}::kKind.plural)\;\n"
      "  return registry\;\n}")
    set_property(GLOBAL APPEND PROPERTY SEXTANT_KIND_HEADERS "sextant/${module}/${P_HEADER}")
    set_property(GLOBAL APPEND PROPERTY SEXTANT_KINDS "kind_of(${module}::${P_REGISTRY})")
  endif()
  string(REPLACE "\\;" ";" table "${table}")
  set(made ${CMAKE_BINARY_DIR}/gen/${module}/builtin_${folder}.cpp)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/plugin_table.cpp.in ${made} @ONLY)
  target_sources(sextant_${module} PRIVATE ${files} ${made})
  target_include_directories(sextant_${module} PRIVATE ${home}/src)
endfunction()

# sextant_plugin_kinds(cli): plugin_kinds() with every kind so far.
function(sextant_plugin_kinds module)
  get_property(includes GLOBAL PROPERTY SEXTANT_KIND_HEADERS)
  get_property(kinds GLOBAL PROPERTY SEXTANT_KINDS)
  list(TRANSFORM includes PREPEND "#include \"")
  list(TRANSFORM includes APPEND "\"\n")
  list(JOIN includes "" headers)
  list(JOIN kinds ",\n          " kinds)
  set(made ${CMAKE_BINARY_DIR}/gen/${module}/plugin_kinds.cpp)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/plugin_kinds.cpp.in ${made} @ONLY)
  target_sources(sextant_${module} PRIVATE ${made})
endfunction()

# sextant_on_demand(MODULE NAME SOURCES file... LIBRARIES library...): MODULE/backends/NAME.cpp, with those sources of the
# module that it needs, as sextant-NAME.so beside the program, which loads it when it is first needed
# (sextant/core/on_demand.h).
function(sextant_on_demand module name)
  cmake_parse_arguments(D "" "" "SOURCES;LIBRARIES" ${ARGN})
  get_target_property(home sextant_${module} SEXTANT_FOLDER)
  if(D_SOURCES)
    list(TRANSFORM D_SOURCES PREPEND ${home}/src/)
  endif()
  add_library(sextant-${name} MODULE ${home}/backends/${name}.cpp ${D_SOURCES})
  set_target_properties(sextant-${name} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  target_include_directories(sextant-${name} PRIVATE
    $<TARGET_PROPERTY:sextant_${module},INTERFACE_INCLUDE_DIRECTORIES> ${home}/src)
  target_link_libraries(sextant-${name} PRIVATE ${D_LIBRARIES})
  add_dependencies(sextant_${module} sextant-${name})
endfunction()

# sextant_embed(MODULE FOLDER): MODULE/FOLDER/* become string constants in the library,
# listed in embedded_FOLDER.inc (sextant/core/embedded_file.h).
function(sextant_embed module folder)
  get_target_property(home sextant_${module} SEXTANT_FOLDER)
  file(GLOB files CONFIGURE_DEPENDS ${home}/${folder}/*)
  set(gen ${CMAKE_BINARY_DIR}/gen/${module})
  set(inc ${gen}/embedded_${folder}.inc)
  add_custom_command(OUTPUT ${inc}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${inc} "-DFILES=${files}" -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${files} ${CMAKE_SOURCE_DIR}/cmake/embed.cmake VERBATIM)
  target_sources(sextant_${module} PRIVATE ${inc})
  target_include_directories(sextant_${module} PRIVATE ${gen})
  # Longer than every compiler must take, but not than ours do.
  target_compile_options(sextant_${module} PRIVATE -Wno-overlength-strings)
endfunction()

function(sextant_version_header module)
  set(gen ${CMAKE_BINARY_DIR}/gen/${module})
  configure_file(${CMAKE_SOURCE_DIR}/cmake/version.h.in ${gen}/sextant_version.h @ONLY)
  target_include_directories(sextant_${module} PRIVATE ${gen})
endfunction()
