# tile_add_static_tool(NAME source...) - a program with the whole compiler, LLVM and MLIR in it, instead of libtile.so
# with LLVM's and MLIR's shared libraries. Those two take 20 ms and 60 MB at each start for their 350,000 relocations;
# a program that lives for 10 ms feels it. It is linked to fixed addresses and without any shared library, for the same
# reason: position-independent code would have 110,000 relocations left, and the loader 7 libraries to find.
#
# It is linked twice: tile-order traces the first program over a few kernels, and the second one has the functions that
# these call next to each other (tools/tile-order says what that brings). tile-order knows x86-64 alone: where it is not
# built, the program is linked once, its functions in the linker's order.

# lld asks LLVM for all its back ends, and LTO names Polly. Neither is used: empty functions keep them out.
function(tile_write_absent_backends file)
  set(text "/* Generated: LLVM's back ends that Tile does not have, and Polly, as empty functions. */\n")
  foreach(backend ${LLVM_TARGETS_TO_BUILD})
    if(NOT backend MATCHES "^(NVPTX|AMDGPU)$")
      foreach(part TargetInfo Target TargetMC AsmPrinter AsmParser)
        string(APPEND text "void LLVMInitialize${backend}${part}(void) {}\n")
      endforeach()
    endif()
  endforeach()
  string(APPEND text "void tileNoPolly(void) __asm__(\"_Z18getPollyPluginInfov\");\nvoid tileNoPolly(void) {}\n")
  file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
endfunction()

function(tile_link_compiler_statically target)
  get_property(libraries GLOBAL PROPERTY TILE_LIBRARIES)
  set(objects)
  foreach(library ${libraries})
    list(APPEND objects $<TARGET_OBJECTS:${library}>)
  endforeach()
  target_sources(${target} PRIVATE ${objects})
  file(GLOB archives ${TILE_LLVM_ROOT}/lib/libMLIR*.a ${TILE_LLVM_ROOT}/lib/libLLVM*.a ${TILE_LLVM_ROOT}/lib/liblld*.a)
  list(FILTER archives EXCLUDE REGEX "CAPI(ExecutionEngine|TransformDialect.*|RegisterEverything)\\.a$")
  target_link_libraries(${target} PRIVATE -Wl,--start-group ${archives} -Wl,--end-group ${JANSSON_STATIC} z zstd m dl)
  target_link_options(${target} PRIVATE -static -fuse-ld=lld -Wl,--gc-sections)
  # Nothing is loaded, and there is no place for a path in what is linked.
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX SKIP_BUILD_RPATH ON INSTALL_RPATH "" INSTALL_RPATH_USE_LINK_PATH OFF)
endfunction()

# Runs that call what compilations usually call: kernels with and without loops, both vendors, matrix products.
function(tile_write_order program order)
  set(runs)
  foreach(kernel casts dropout pow_tanh gather softmax layernorm)
    list(APPEND runs -- --target=sm_90 --emit=ptx -o /dev/null ${CMAKE_SOURCE_DIR}/test/data/ttir/inductor/${kernel}.ttir)
  endforeach()
  list(APPEND runs -- --target=sm_90a --emit=ptx -o /dev/null ${CMAKE_SOURCE_DIR}/examples/matmul.mlir)
  list(APPEND runs -- --target=gfx942 --emit=hsaco -o /dev/null ${CMAKE_SOURCE_DIR}/test/data/ttir/inductor/softmax.ttir)
  add_custom_command(OUTPUT ${order} COMMAND tile-order $<TARGET_FILE:${program}> ${order} ${runs}
    DEPENDS tile-order ${program} VERBATIM)
endfunction()

function(tile_order_functions target)
  add_executable(${target}-unordered $<TARGET_OBJECTS:${target}-objects>)
  tile_link_compiler_statically(${target}-unordered)
  target_link_options(${target}-unordered PRIVATE -Wl,--strip-debug)
  set_target_properties(${target}-unordered PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/generated)
  set(order ${CMAKE_BINARY_DIR}/generated/${target}.order)
  tile_write_order(${target}-unordered ${order})

  add_custom_target(${target}-order DEPENDS ${order})
  add_dependencies(${target} ${target}-order)
  target_link_options(${target} PRIVATE -Wl,--symbol-ordering-file=${order} -Wl,--no-warn-symbol-ordering)
  set_target_properties(${target} PROPERTIES LINK_DEPENDS ${order})
endfunction()

function(tile_add_static_tool target)
  set(absent ${CMAKE_BINARY_DIR}/generated/absent_backends.c)
  tile_write_absent_backends(${absent})
  add_library(${target}-objects OBJECT ${ARGN} ${absent})
  add_dependencies(${target}-objects tile-headers)

  add_executable(${target} $<TARGET_OBJECTS:${target}-objects>)
  tile_link_compiler_statically(${target})
  if(TARGET tile-order)
    tile_order_functions(${target})
  endif()
  # What the linker writes lies in the system's cache in single pages, what cp writes in large pieces, whose pages a process maps
  # in a fraction of the time: a fifth of a small compilation.
  add_custom_command(TARGET ${target} POST_BUILD COMMAND cp $<TARGET_FILE:${target}> $<TARGET_FILE:${target}>.copy
    COMMAND mv -f $<TARGET_FILE:${target}>.copy $<TARGET_FILE:${target}> VERBATIM)
endfunction()
