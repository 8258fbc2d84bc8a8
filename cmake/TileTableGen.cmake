# Table generation: every .td is read by mlir-tblgen (C++ classes, docs) and by tile-cgen (typed C accessors).

set(TILE_MLIR_TBLGEN ${TILE_LLVM_ROOT}/bin/mlir-tblgen)
set(TILE_LLVM_TBLGEN ${TILE_LLVM_ROOT}/bin/llvm-tblgen)
set(TILE_TD_INCLUDES -I ${TILE_LLVM_ROOT}/include -I ${CMAKE_SOURCE_DIR}/include)

# tile_tablegen(TD file.td OUT dir PREFIX name GENERATE "flags=suffix" ...)
# Writes OUT/name<suffix> for each pair, with mlir-tblgen.
function(tile_tablegen)
  cmake_parse_arguments(A "" "TD;OUT;PREFIX" "GENERATE" ${ARGN})
  file(MAKE_DIRECTORY ${A_OUT})
  set(outputs)
  foreach(pair ${A_GENERATE})
    string(REGEX MATCH "^(.*)=([^=]*)$" _ "${pair}")
    set(flags ${CMAKE_MATCH_1})
    set(output ${A_OUT}/${A_PREFIX}${CMAKE_MATCH_2})
    separate_arguments(flags UNIX_COMMAND "${flags}")
    add_custom_command(OUTPUT ${output}
      COMMAND ${TILE_MLIR_TBLGEN} ${flags} ${TILE_TD_INCLUDES} ${A_TD} -o ${output} --write-if-changed -d ${output}.d
      DEPENDS ${A_TD} DEPFILE ${output}.d VERBATIM)
    list(APPEND outputs ${output})
  endforeach()
  string(MD5 id "${A_TD}${A_PREFIX}")
  add_custom_target(tablegen-${A_PREFIX}-${id} DEPENDS ${outputs})
  add_dependencies(tile-headers tablegen-${A_PREFIX}-${id})
endfunction()

# tile_cgen(TD file.td DIALECT name OUTPUTS "mode=path" ...)
# Dumps the records of file.td as JSON and runs tile-cgen in each mode on them.
function(tile_cgen)
  cmake_parse_arguments(A "" "TD;DIALECT" "OUTPUTS" ${ARGN})
  set(json ${CMAKE_BINARY_DIR}/tablegen/${A_DIALECT}.json)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/tablegen)
  add_custom_command(OUTPUT ${json}
    COMMAND ${TILE_LLVM_TBLGEN} --dump-json ${TILE_TD_INCLUDES} -I ${TILE_LLVM_ROOT}/include/mlir/Dialect ${A_TD} -o ${json} -d ${json}.d
    DEPENDS ${A_TD} DEPFILE ${json}.d VERBATIM)
  set(outputs)
  foreach(pair ${A_OUTPUTS})
    string(REGEX MATCH "^(.*)=(.*)$" _ "${pair}")
    set(mode ${CMAKE_MATCH_1})
    set(output ${CMAKE_MATCH_2})
    get_filename_component(dir ${output} DIRECTORY)
    file(MAKE_DIRECTORY ${dir})
    add_custom_command(OUTPUT ${output} COMMAND tile-cgen ${mode} ${A_DIALECT} ${json} ${output} DEPENDS ${json} tile-cgen VERBATIM)
    list(APPEND outputs ${output})
  endforeach()
  add_custom_target(cgen-${A_DIALECT} DEPENDS ${outputs})
  add_dependencies(tile-headers cgen-${A_DIALECT})
endfunction()
