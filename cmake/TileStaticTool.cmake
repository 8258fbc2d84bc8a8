# tile_link_compiler_statically(TARGET) - links the whole compiler with LLVM and MLIR into a program, instead of
# libtile.so with LLVM's and MLIR's shared libraries. Those two take 20 ms and 60 MB at each start for their 350,000
# relocations; a program that lives for 10 ms feels it. It is linked to fixed addresses and without any shared library,
# for the same reason: position-independent code would have 110,000 relocations left, and the loader 7 libraries to find.

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
  set(absent ${CMAKE_BINARY_DIR}/generated/absent_backends.c)
  tile_write_absent_backends(${absent})
  get_property(libraries GLOBAL PROPERTY TILE_LIBRARIES)
  set(objects)
  foreach(library ${libraries})
    list(APPEND objects $<TARGET_OBJECTS:${library}>)
  endforeach()
  target_sources(${target} PRIVATE ${absent} ${objects})
  file(GLOB archives ${TILE_LLVM_ROOT}/lib/libMLIR*.a ${TILE_LLVM_ROOT}/lib/libLLVM*.a ${TILE_LLVM_ROOT}/lib/liblld*.a)
  list(FILTER archives EXCLUDE REGEX "CAPI(ExecutionEngine|TransformDialect.*|RegisterEverything)\\.a$")
  target_link_libraries(${target} PRIVATE -Wl,--start-group ${archives} -Wl,--end-group ${JANSSON_STATIC} z zstd m dl)
  target_link_options(${target} PRIVATE -static -Wl,--gc-sections)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()
