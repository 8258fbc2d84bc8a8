// RUN: tile-opt %s --tile-gpu-expand-math -o %t && tile-run %t --device=cpu --debug --grid=1
// Integer functions, conversions and directed rounding of libdevice: what each expansion computes on the cpu device.
func.func @kernel() attributes {tile.kernel} {
  %c0 = arith.constant -5 : i32
  %c1 = arith.constant 5 : i32
  %abs_0 = tile.extern_elementwise "__nv_abs"(%c0) pure : (i32) -> i32
  %abs_0_ok = arith.cmpi eq, %abs_0, %c1 : i32
  tile.assert %abs_0_ok, "__nv_abs [-5] is not 5" : i1
  %c2 = arith.constant -2147483648 : i32
  %abs_1 = tile.extern_elementwise "__nv_abs"(%c2) pure : (i32) -> i32
  %abs_1_ok = arith.cmpi eq, %abs_1, %c2 : i32
  tile.assert %abs_1_ok, "__nv_abs [-2147483648] is not -2147483648" : i1
  %c3 = arith.constant -7 : i64
  %c4 = arith.constant 7 : i64
  %llabs_0 = tile.extern_elementwise "__nv_llabs"(%c3) pure : (i64) -> i64
  %llabs_0_ok = arith.cmpi eq, %llabs_0, %c4 : i64
  tile.assert %llabs_0_ok, "__nv_llabs [-7] is not 7" : i1
  %c5 = arith.constant 1 : i32
  %brev_0 = tile.extern_elementwise "__nv_brev"(%c5) pure : (i32) -> i32
  %brev_0_ok = arith.cmpi eq, %brev_0, %c2 : i32
  tile.assert %brev_0_ok, "__nv_brev [1] is not -2147483648" : i1
  %c6 = arith.constant 305419896 : i32
  %c7 = arith.constant 510274632 : i32
  %brev_1 = tile.extern_elementwise "__nv_brev"(%c6) pure : (i32) -> i32
  %brev_1_ok = arith.cmpi eq, %brev_1, %c7 : i32
  tile.assert %brev_1_ok, "__nv_brev [305419896] is not 510274632" : i1
  %c8 = arith.constant 1 : i64
  %c9 = arith.constant -9223372036854775808 : i64
  %brevll_0 = tile.extern_elementwise "__nv_brevll"(%c8) pure : (i64) -> i64
  %brevll_0_ok = arith.cmpi eq, %brevll_0, %c9 : i64
  tile.assert %brevll_0_ok, "__nv_brevll [1] is not -9223372036854775808" : i1
  %c10 = arith.constant 857870592 : i32
  %c11 = arith.constant 2003195204 : i32
  %c12 = arith.constant 30001 : i32
  %c13 = arith.constant 2002072337 : i32
  %byte_perm_0 = tile.extern_elementwise "__nv_byte_perm"(%c10, %c11, %c12) pure : (i32, i32, i32) -> i32
  %byte_perm_0_ok = arith.cmpi eq, %byte_perm_0, %c13 : i32
  tile.assert %byte_perm_0_ok, "__nv_byte_perm [857870592, 2003195204, 30001] is not 2002072337" : i1
  %c14 = arith.constant 31 : i32
  %clz_0 = tile.extern_elementwise "__nv_clz"(%c5) pure : (i32) -> i32
  %clz_0_ok = arith.cmpi eq, %clz_0, %c14 : i32
  tile.assert %clz_0_ok, "__nv_clz [1] is not 31" : i1
  %c15 = arith.constant 0 : i32
  %c16 = arith.constant 32 : i32
  %clz_1 = tile.extern_elementwise "__nv_clz"(%c15) pure : (i32) -> i32
  %clz_1_ok = arith.cmpi eq, %clz_1, %c16 : i32
  tile.assert %clz_1_ok, "__nv_clz [0] is not 32" : i1
  %c17 = arith.constant 63 : i32
  %clzll_0 = tile.extern_elementwise "__nv_clzll"(%c8) pure : (i64) -> i32
  %clzll_0_ok = arith.cmpi eq, %clzll_0, %c17 : i32
  tile.assert %clzll_0_ok, "__nv_clzll [1] is not 63" : i1
  %ffs_0 = tile.extern_elementwise "__nv_ffs"(%c15) pure : (i32) -> i32
  %ffs_0_ok = arith.cmpi eq, %ffs_0, %c15 : i32
  tile.assert %ffs_0_ok, "__nv_ffs [0] is not 0" : i1
  %c18 = arith.constant 8 : i32
  %c19 = arith.constant 4 : i32
  %ffs_1 = tile.extern_elementwise "__nv_ffs"(%c18) pure : (i32) -> i32
  %ffs_1_ok = arith.cmpi eq, %ffs_1, %c19 : i32
  tile.assert %ffs_1_ok, "__nv_ffs [8] is not 4" : i1
  %c20 = arith.constant 1099511627776 : i64
  %c21 = arith.constant 41 : i32
  %ffsll_0 = tile.extern_elementwise "__nv_ffsll"(%c20) pure : (i64) -> i32
  %ffsll_0_ok = arith.cmpi eq, %ffsll_0, %c21 : i32
  tile.assert %ffsll_0_ok, "__nv_ffsll [1099511627776] is not 41" : i1
  %c22 = arith.constant -1 : i32
  %popc_0 = tile.extern_elementwise "__nv_popc"(%c22) pure : (i32) -> i32
  %popc_0_ok = arith.cmpi eq, %popc_0, %c16 : i32
  tile.assert %popc_0_ok, "__nv_popc [-1] is not 32" : i1
  %c23 = arith.constant 255 : i64
  %popcll_0 = tile.extern_elementwise "__nv_popcll"(%c23) pure : (i64) -> i32
  %popcll_0_ok = arith.cmpi eq, %popcll_0, %c18 : i32
  tile.assert %popcll_0_ok, "__nv_popcll [255] is not 8" : i1
  %c24 = arith.constant 16777215 : i32
  %c25 = arith.constant 3 : i32
  %c26 = arith.constant -3 : i32
  %mul24_0 = tile.extern_elementwise "__nv_mul24"(%c24, %c25) pure : (i32, i32) -> i32
  %mul24_0_ok = arith.cmpi eq, %mul24_0, %c26 : i32
  tile.assert %mul24_0_ok, "__nv_mul24 [16777215, 3] is not -3" : i1
  %c27 = arith.constant 33554431 : i32
  %c28 = arith.constant 2 : i32
  %c29 = arith.constant 33554430 : i32
  %umul24_0 = tile.extern_elementwise "__nv_umul24"(%c27, %c28) pure : (i32, i32) -> i32
  %umul24_0_ok = arith.cmpi eq, %umul24_0, %c29 : i32
  tile.assert %umul24_0_ok, "__nv_umul24 [33554431, 2] is not 33554430" : i1
  %c30 = arith.constant 10 : i32
  %c31 = arith.constant 18 : i32
  %sad_0 = tile.extern_elementwise "__nv_sad"(%c0, %c25, %c30) pure : (i32, i32, i32) -> i32
  %sad_0_ok = arith.cmpi eq, %sad_0, %c31 : i32
  tile.assert %sad_0_ok, "__nv_sad [-5, 3, 10] is not 18" : i1
  %c32 = arith.constant -2 : i32
  %usad_0 = tile.extern_elementwise "__nv_usad"(%c22, %c5, %c15) pure : (i32, i32, i32) -> i32
  %usad_0_ok = arith.cmpi eq, %usad_0, %c32 : i32
  tile.assert %usad_0_ok, "__nv_usad [-1, 1, 0] is not -2" : i1
  %c33 = arith.constant -4 : i32
  %hadd_0 = tile.extern_elementwise "__nv_hadd"(%c26, %c33) pure : (i32, i32) -> i32
  %hadd_0_ok = arith.cmpi eq, %hadd_0, %c33 : i32
  tile.assert %hadd_0_ok, "__nv_hadd [-3, -4] is not -4" : i1
  %uhadd_0 = tile.extern_elementwise "__nv_uhadd"(%c22, %c5) pure : (i32, i32) -> i32
  %uhadd_0_ok = arith.cmpi eq, %uhadd_0, %c2 : i32
  tile.assert %uhadd_0_ok, "__nv_uhadd [-1, 1] is not -2147483648" : i1
  %rhadd_0 = tile.extern_elementwise "__nv_rhadd"(%c26, %c33) pure : (i32, i32) -> i32
  %rhadd_0_ok = arith.cmpi eq, %rhadd_0, %c26 : i32
  tile.assert %rhadd_0_ok, "__nv_rhadd [-3, -4] is not -3" : i1
  %urhadd_0 = tile.extern_elementwise "__nv_urhadd"(%c25, %c19) pure : (i32, i32) -> i32
  %urhadd_0_ok = arith.cmpi eq, %urhadd_0, %c19 : i32
  tile.assert %urhadd_0_ok, "__nv_urhadd [3, 4] is not 4" : i1
  %max_0 = tile.extern_elementwise "__nv_max"(%c22, %c5) pure : (i32, i32) -> i32
  %max_0_ok = arith.cmpi eq, %max_0, %c5 : i32
  tile.assert %max_0_ok, "__nv_max [-1, 1] is not 1" : i1
  %umax_0 = tile.extern_elementwise "__nv_umax"(%c22, %c5) pure : (i32, i32) -> i32
  %umax_0_ok = arith.cmpi eq, %umax_0, %c22 : i32
  tile.assert %umax_0_ok, "__nv_umax [-1, 1] is not -1" : i1
  %c34 = arith.constant -1 : i64
  %llmin_0 = tile.extern_elementwise "__nv_llmin"(%c34, %c8) pure : (i64, i64) -> i64
  %llmin_0_ok = arith.cmpi eq, %llmin_0, %c34 : i64
  tile.assert %llmin_0_ok, "__nv_llmin [-1, 1] is not -1" : i1
  %ullmin_0 = tile.extern_elementwise "__nv_ullmin"(%c34, %c8) pure : (i64, i64) -> i64
  %ullmin_0_ok = arith.cmpi eq, %ullmin_0, %c8 : i64
  tile.assert %ullmin_0_ok, "__nv_ullmin [-1, 1] is not 1" : i1
  %c35 = arith.constant 1.0 : f32
  %c36 = arith.constant 1065353216 : i32
  %float_as_int_0 = tile.extern_elementwise "__nv_float_as_int"(%c35) pure : (f32) -> i32
  %float_as_int_0_ok = arith.cmpi eq, %float_as_int_0, %c36 : i32
  tile.assert %float_as_int_0_ok, "__nv_float_as_int ['1.0'] is not 1065353216" : i1
  %int_as_float_0 = tile.extern_elementwise "__nv_int_as_float"(%c36) pure : (i32) -> f32
  %int_as_float_0_bits = arith.bitcast %int_as_float_0 : f32 to i32
  %int_as_float_0_ok = arith.cmpi eq, %int_as_float_0_bits, %c36 : i32
  tile.assert %int_as_float_0_ok, "__nv_int_as_float [1065353216] is not 1.000000e+00" : i1
  %c37 = arith.constant 1.0 : f64
  %c38 = arith.constant 1072693248 : i32
  %double2hiint_0 = tile.extern_elementwise "__nv_double2hiint"(%c37) pure : (f64) -> i32
  %double2hiint_0_ok = arith.cmpi eq, %double2hiint_0, %c38 : i32
  tile.assert %double2hiint_0_ok, "__nv_double2hiint ['1.0'] is not 1072693248" : i1
  %double2loint_0 = tile.extern_elementwise "__nv_double2loint"(%c37) pure : (f64) -> i32
  %double2loint_0_ok = arith.cmpi eq, %double2loint_0, %c15 : i32
  tile.assert %double2loint_0_ok, "__nv_double2loint ['1.0'] is not 0" : i1
  %c39 = arith.constant 4607182418800017408 : i64
  %hiloint2double_0 = tile.extern_elementwise "__nv_hiloint2double"(%c38, %c15) pure : (i32, i32) -> f64
  %hiloint2double_0_bits = arith.bitcast %hiloint2double_0 : f64 to i64
  %hiloint2double_0_ok = arith.cmpi eq, %hiloint2double_0_bits, %c39 : i64
  tile.assert %hiloint2double_0_ok, "__nv_hiloint2double [1072693248, 0] is not 1.000000e+00" : i1
  %c40 = arith.constant 15360 : i16
  %half2float_0 = tile.extern_elementwise "__nv_half2float"(%c40) pure : (i16) -> f32
  %half2float_0_bits = arith.bitcast %half2float_0 : f32 to i32
  %half2float_0_ok = arith.cmpi eq, %half2float_0_bits, %c36 : i32
  tile.assert %half2float_0_ok, "__nv_half2float [15360] is not 1.000000e+00" : i1
  %float2half_rn_0 = tile.extern_elementwise "__nv_float2half_rn"(%c35) pure : (f32) -> i16
  %float2half_rn_0_ok = arith.cmpi eq, %float2half_rn_0, %c40 : i16
  tile.assert %float2half_rn_0_ok, "__nv_float2half_rn ['1.0'] is not 15360" : i1
  %c41 = arith.constant 0x7FC00000 : f32
  %isnanf_0 = tile.extern_elementwise "__nv_isnanf"(%c41) pure : (f32) -> i32
  %isnanf_0_ok = arith.cmpi eq, %isnanf_0, %c5 : i32
  tile.assert %isnanf_0_ok, "__nv_isnanf ['0x7FC00000'] is not 1" : i1
  %c42 = arith.constant 0xFF800000 : f32
  %isinff_0 = tile.extern_elementwise "__nv_isinff"(%c42) pure : (f32) -> i32
  %isinff_0_ok = arith.cmpi eq, %isinff_0, %c5 : i32
  tile.assert %isinff_0_ok, "__nv_isinff ['0xFF800000'] is not 1" : i1
  %finitef_0 = tile.extern_elementwise "__nv_finitef"(%c42) pure : (f32) -> i32
  %finitef_0_ok = arith.cmpi eq, %finitef_0, %c15 : i32
  tile.assert %finitef_0_ok, "__nv_finitef ['0xFF800000'] is not 0" : i1
  %c43 = arith.constant -0.0 : f64
  %signbitd_0 = tile.extern_elementwise "__nv_signbitd"(%c43) pure : (f64) -> i32
  %signbitd_0_ok = arith.cmpi eq, %signbitd_0, %c5 : i32
  tile.assert %signbitd_0_ok, "__nv_signbitd ['-0.0'] is not 1" : i1
  %c44 = arith.constant 2.5 : f32
  %float2int_rn_0 = tile.extern_elementwise "__nv_float2int_rn"(%c44) pure : (f32) -> i32
  %float2int_rn_0_ok = arith.cmpi eq, %float2int_rn_0, %c28 : i32
  tile.assert %float2int_rn_0_ok, "__nv_float2int_rn ['2.5'] is not 2" : i1
  %float2int_rz_0 = tile.extern_elementwise "__nv_float2int_rz"(%c44) pure : (f32) -> i32
  %float2int_rz_0_ok = arith.cmpi eq, %float2int_rz_0, %c28 : i32
  tile.assert %float2int_rz_0_ok, "__nv_float2int_rz ['2.5'] is not 2" : i1
  %float2int_rd_0 = tile.extern_elementwise "__nv_float2int_rd"(%c44) pure : (f32) -> i32
  %float2int_rd_0_ok = arith.cmpi eq, %float2int_rd_0, %c28 : i32
  tile.assert %float2int_rd_0_ok, "__nv_float2int_rd ['2.5'] is not 2" : i1
  %float2int_ru_0 = tile.extern_elementwise "__nv_float2int_ru"(%c44) pure : (f32) -> i32
  %float2int_ru_0_ok = arith.cmpi eq, %float2int_ru_0, %c25 : i32
  tile.assert %float2int_ru_0_ok, "__nv_float2int_ru ['2.5'] is not 3" : i1
  %c45 = arith.constant -3.5 : f64
  %c46 = arith.constant -4 : i64
  %double2ll_rn_0 = tile.extern_elementwise "__nv_double2ll_rn"(%c45) pure : (f64) -> i64
  %double2ll_rn_0_ok = arith.cmpi eq, %double2ll_rn_0, %c46 : i64
  tile.assert %double2ll_rn_0_ok, "__nv_double2ll_rn ['-3.5'] is not -4" : i1
  %c47 = arith.constant -3 : i64
  %double2ll_rz_0 = tile.extern_elementwise "__nv_double2ll_rz"(%c45) pure : (f64) -> i64
  %double2ll_rz_0_ok = arith.cmpi eq, %double2ll_rz_0, %c47 : i64
  tile.assert %double2ll_rz_0_ok, "__nv_double2ll_rz ['-3.5'] is not -3" : i1
  %double2ll_rd_0 = tile.extern_elementwise "__nv_double2ll_rd"(%c45) pure : (f64) -> i64
  %double2ll_rd_0_ok = arith.cmpi eq, %double2ll_rd_0, %c46 : i64
  tile.assert %double2ll_rd_0_ok, "__nv_double2ll_rd ['-3.5'] is not -4" : i1
  %double2ll_ru_0 = tile.extern_elementwise "__nv_double2ll_ru"(%c45) pure : (f64) -> i64
  %double2ll_ru_0_ok = arith.cmpi eq, %double2ll_ru_0, %c47 : i64
  tile.assert %double2ll_ru_0_ok, "__nv_double2ll_ru ['-3.5'] is not -3" : i1
  %c48 = arith.constant -3.5 : f32
  %float2uint_rz_0 = tile.extern_elementwise "__nv_float2uint_rz"(%c48) pure : (f32) -> i32
  %float2uint_rz_0_ok = arith.cmpi eq, %float2uint_rz_0, %c15 : i32
  tile.assert %float2uint_rz_0_ok, "__nv_float2uint_rz ['-3.5'] is not 0" : i1
  %c49 = arith.constant 3 : i64
  %llroundf_0 = tile.extern_elementwise "__nv_llroundf"(%c44) pure : (f32) -> i64
  %llroundf_0_ok = arith.cmpi eq, %llroundf_0, %c49 : i64
  tile.assert %llroundf_0_ok, "__nv_llroundf ['2.5'] is not 3" : i1
  %c50 = arith.constant 2.5 : f64
  %c51 = arith.constant 2 : i64
  %llrint_0 = tile.extern_elementwise "__nv_llrint"(%c50) pure : (f64) -> i64
  %llrint_0_ok = arith.cmpi eq, %llrint_0, %c51 : i64
  tile.assert %llrint_0_ok, "__nv_llrint ['2.5'] is not 2" : i1
  %c52 = arith.constant 16777217 : i32
  %c53 = arith.constant 1266679808 : i32
  %int2float_rn_0 = tile.extern_elementwise "__nv_int2float_rn"(%c52) pure : (i32) -> f32
  %int2float_rn_0_bits = arith.bitcast %int2float_rn_0 : f32 to i32
  %int2float_rn_0_ok = arith.cmpi eq, %int2float_rn_0_bits, %c53 : i32
  tile.assert %int2float_rn_0_ok, "__nv_int2float_rn [16777217] is not 0x4B800000" : i1
  %int2float_rz_0 = tile.extern_elementwise "__nv_int2float_rz"(%c52) pure : (i32) -> f32
  %int2float_rz_0_bits = arith.bitcast %int2float_rz_0 : f32 to i32
  %int2float_rz_0_ok = arith.cmpi eq, %int2float_rz_0_bits, %c53 : i32
  tile.assert %int2float_rz_0_ok, "__nv_int2float_rz [16777217] is not 0x4B800000" : i1
  %int2float_rd_0 = tile.extern_elementwise "__nv_int2float_rd"(%c52) pure : (i32) -> f32
  %int2float_rd_0_bits = arith.bitcast %int2float_rd_0 : f32 to i32
  %int2float_rd_0_ok = arith.cmpi eq, %int2float_rd_0_bits, %c53 : i32
  tile.assert %int2float_rd_0_ok, "__nv_int2float_rd [16777217] is not 0x4B800000" : i1
  %c54 = arith.constant 1266679809 : i32
  %int2float_ru_0 = tile.extern_elementwise "__nv_int2float_ru"(%c52) pure : (i32) -> f32
  %int2float_ru_0_bits = arith.bitcast %int2float_ru_0 : f32 to i32
  %int2float_ru_0_ok = arith.cmpi eq, %int2float_ru_0_bits, %c54 : i32
  tile.assert %int2float_ru_0_ok, "__nv_int2float_ru [16777217] is not 0x4B800001" : i1
  %c55 = arith.constant -16777217 : i64
  %c56 = arith.constant -880803840 : i32
  %ll2float_rn_0 = tile.extern_elementwise "__nv_ll2float_rn"(%c55) pure : (i64) -> f32
  %ll2float_rn_0_bits = arith.bitcast %ll2float_rn_0 : f32 to i32
  %ll2float_rn_0_ok = arith.cmpi eq, %ll2float_rn_0_bits, %c56 : i32
  tile.assert %ll2float_rn_0_ok, "__nv_ll2float_rn [-16777217] is not 0xCB800000" : i1
  %ll2float_rz_0 = tile.extern_elementwise "__nv_ll2float_rz"(%c55) pure : (i64) -> f32
  %ll2float_rz_0_bits = arith.bitcast %ll2float_rz_0 : f32 to i32
  %ll2float_rz_0_ok = arith.cmpi eq, %ll2float_rz_0_bits, %c56 : i32
  tile.assert %ll2float_rz_0_ok, "__nv_ll2float_rz [-16777217] is not 0xCB800000" : i1
  %c57 = arith.constant -880803839 : i32
  %ll2float_rd_0 = tile.extern_elementwise "__nv_ll2float_rd"(%c55) pure : (i64) -> f32
  %ll2float_rd_0_bits = arith.bitcast %ll2float_rd_0 : f32 to i32
  %ll2float_rd_0_ok = arith.cmpi eq, %ll2float_rd_0_bits, %c57 : i32
  tile.assert %ll2float_rd_0_ok, "__nv_ll2float_rd [-16777217] is not 0xCB800001" : i1
  %ll2float_ru_0 = tile.extern_elementwise "__nv_ll2float_ru"(%c55) pure : (i64) -> f32
  %ll2float_ru_0_bits = arith.bitcast %ll2float_ru_0 : f32 to i32
  %ll2float_ru_0_ok = arith.cmpi eq, %ll2float_ru_0_bits, %c56 : i32
  tile.assert %ll2float_ru_0_ok, "__nv_ll2float_ru [-16777217] is not 0xCB800000" : i1
  %c58 = arith.constant 1602224128 : i32
  %ull2float_rn_0 = tile.extern_elementwise "__nv_ull2float_rn"(%c34) pure : (i64) -> f32
  %ull2float_rn_0_bits = arith.bitcast %ull2float_rn_0 : f32 to i32
  %ull2float_rn_0_ok = arith.cmpi eq, %ull2float_rn_0_bits, %c58 : i32
  tile.assert %ull2float_rn_0_ok, "__nv_ull2float_rn [-1] is not 0x5F800000" : i1
  %c59 = arith.constant 1602224127 : i32
  %ull2float_rz_0 = tile.extern_elementwise "__nv_ull2float_rz"(%c34) pure : (i64) -> f32
  %ull2float_rz_0_bits = arith.bitcast %ull2float_rz_0 : f32 to i32
  %ull2float_rz_0_ok = arith.cmpi eq, %ull2float_rz_0_bits, %c59 : i32
  tile.assert %ull2float_rz_0_ok, "__nv_ull2float_rz [-1] is not 0x5F7FFFFF" : i1
  %ull2float_rd_0 = tile.extern_elementwise "__nv_ull2float_rd"(%c34) pure : (i64) -> f32
  %ull2float_rd_0_bits = arith.bitcast %ull2float_rd_0 : f32 to i32
  %ull2float_rd_0_ok = arith.cmpi eq, %ull2float_rd_0_bits, %c59 : i32
  tile.assert %ull2float_rd_0_ok, "__nv_ull2float_rd [-1] is not 0x5F7FFFFF" : i1
  %ull2float_ru_0 = tile.extern_elementwise "__nv_ull2float_ru"(%c34) pure : (i64) -> f32
  %ull2float_ru_0_bits = arith.bitcast %ull2float_ru_0 : f32 to i32
  %ull2float_ru_0_ok = arith.cmpi eq, %ull2float_ru_0_bits, %c58 : i32
  tile.assert %ull2float_ru_0_ok, "__nv_ull2float_ru [-1] is not 0x5F800000" : i1
  %c60 = arith.constant 1.0000000001 : f64
  %double2float_rn_0 = tile.extern_elementwise "__nv_double2float_rn"(%c60) pure : (f64) -> f32
  %double2float_rn_0_bits = arith.bitcast %double2float_rn_0 : f32 to i32
  %double2float_rn_0_ok = arith.cmpi eq, %double2float_rn_0_bits, %c36 : i32
  tile.assert %double2float_rn_0_ok, "__nv_double2float_rn ['1.0000000001'] is not 1.000000e+00" : i1
  %double2float_rd_0 = tile.extern_elementwise "__nv_double2float_rd"(%c60) pure : (f64) -> f32
  %double2float_rd_0_bits = arith.bitcast %double2float_rd_0 : f32 to i32
  %double2float_rd_0_ok = arith.cmpi eq, %double2float_rd_0_bits, %c36 : i32
  tile.assert %double2float_rd_0_ok, "__nv_double2float_rd ['1.0000000001'] is not 1.000000e+00" : i1
  %c61 = arith.constant 1065353217 : i32
  %double2float_ru_0 = tile.extern_elementwise "__nv_double2float_ru"(%c60) pure : (f64) -> f32
  %double2float_ru_0_bits = arith.bitcast %double2float_ru_0 : f32 to i32
  %double2float_ru_0_ok = arith.cmpi eq, %double2float_ru_0_bits, %c61 : i32
  tile.assert %double2float_ru_0_ok, "__nv_double2float_ru ['1.0000000001'] is not 0x3F800001" : i1
  %c62 = arith.constant -1.0e-20 : f32
  %fadd_rn_0 = tile.extern_elementwise "__nv_fadd_rn"(%c35, %c62) pure : (f32, f32) -> f32
  %fadd_rn_0_bits = arith.bitcast %fadd_rn_0 : f32 to i32
  %fadd_rn_0_ok = arith.cmpi eq, %fadd_rn_0_bits, %c36 : i32
  tile.assert %fadd_rn_0_ok, "__nv_fadd_rn ['1.0', '-1.0e-20'] is not 1.000000e+00" : i1
  %c63 = arith.constant 1065353215 : i32
  %fadd_rz_0 = tile.extern_elementwise "__nv_fadd_rz"(%c35, %c62) pure : (f32, f32) -> f32
  %fadd_rz_0_bits = arith.bitcast %fadd_rz_0 : f32 to i32
  %fadd_rz_0_ok = arith.cmpi eq, %fadd_rz_0_bits, %c63 : i32
  tile.assert %fadd_rz_0_ok, "__nv_fadd_rz ['1.0', '-1.0e-20'] is not 0x3F7FFFFF" : i1
  %fadd_rd_0 = tile.extern_elementwise "__nv_fadd_rd"(%c35, %c62) pure : (f32, f32) -> f32
  %fadd_rd_0_bits = arith.bitcast %fadd_rd_0 : f32 to i32
  %fadd_rd_0_ok = arith.cmpi eq, %fadd_rd_0_bits, %c63 : i32
  tile.assert %fadd_rd_0_ok, "__nv_fadd_rd ['1.0', '-1.0e-20'] is not 0x3F7FFFFF" : i1
  %fadd_ru_0 = tile.extern_elementwise "__nv_fadd_ru"(%c35, %c62) pure : (f32, f32) -> f32
  %fadd_ru_0_bits = arith.bitcast %fadd_ru_0 : f32 to i32
  %fadd_ru_0_ok = arith.cmpi eq, %fadd_ru_0_bits, %c36 : i32
  tile.assert %fadd_ru_0_ok, "__nv_fadd_ru ['1.0', '-1.0e-20'] is not 1.000000e+00" : i1
  %c64 = arith.constant -1.0 : f32
  %fadd_rd_1 = tile.extern_elementwise "__nv_fadd_rd"(%c35, %c64) pure : (f32, f32) -> f32
  %fadd_rd_1_bits = arith.bitcast %fadd_rd_1 : f32 to i32
  %fadd_rd_1_ok = arith.cmpi eq, %fadd_rd_1_bits, %c2 : i32
  tile.assert %fadd_rd_1_ok, "__nv_fadd_rd ['1.0', '-1.0'] is not -0.000000e+00" : i1
  %fsub_ru_0 = tile.extern_elementwise "__nv_fsub_ru"(%c35, %c35) pure : (f32, f32) -> f32
  %fsub_ru_0_bits = arith.bitcast %fsub_ru_0 : f32 to i32
  %fsub_ru_0_ok = arith.cmpi eq, %fsub_ru_0_bits, %c15 : i32
  tile.assert %fsub_ru_0_ok, "__nv_fsub_ru ['1.0', '1.0'] is not 0.000000e+00" : i1
  %c65 = arith.constant 0x7F7FFFFF : f32
  %c66 = arith.constant 2139095039 : i32
  %fadd_rz_1 = tile.extern_elementwise "__nv_fadd_rz"(%c65, %c65) pure : (f32, f32) -> f32
  %fadd_rz_1_bits = arith.bitcast %fadd_rz_1 : f32 to i32
  %fadd_rz_1_ok = arith.cmpi eq, %fadd_rz_1_bits, %c66 : i32
  tile.assert %fadd_rz_1_ok, "__nv_fadd_rz ['0x7F7FFFFF', '0x7F7FFFFF'] is not 3.40282347E+38" : i1
  %c67 = arith.constant 2139095040 : i32
  %fadd_ru_1 = tile.extern_elementwise "__nv_fadd_ru"(%c65, %c65) pure : (f32, f32) -> f32
  %fadd_ru_1_bits = arith.bitcast %fadd_ru_1 : f32 to i32
  %fadd_ru_1_ok = arith.cmpi eq, %fadd_ru_1_bits, %c67 : i32
  tile.assert %fadd_ru_1_ok, "__nv_fadd_ru ['0x7F7FFFFF', '0x7F7FFFFF'] is not 0x7F800000" : i1
  %c68 = arith.constant 1.0e-30 : f32
  %fmul_rn_0 = tile.extern_elementwise "__nv_fmul_rn"(%c68, %c68) pure : (f32, f32) -> f32
  %fmul_rn_0_bits = arith.bitcast %fmul_rn_0 : f32 to i32
  %fmul_rn_0_ok = arith.cmpi eq, %fmul_rn_0_bits, %c15 : i32
  tile.assert %fmul_rn_0_ok, "__nv_fmul_rn ['1.0e-30', '1.0e-30'] is not 0.000000e+00" : i1
  %fmul_rz_0 = tile.extern_elementwise "__nv_fmul_rz"(%c68, %c68) pure : (f32, f32) -> f32
  %fmul_rz_0_bits = arith.bitcast %fmul_rz_0 : f32 to i32
  %fmul_rz_0_ok = arith.cmpi eq, %fmul_rz_0_bits, %c15 : i32
  tile.assert %fmul_rz_0_ok, "__nv_fmul_rz ['1.0e-30', '1.0e-30'] is not 0.000000e+00" : i1
  %fmul_rd_0 = tile.extern_elementwise "__nv_fmul_rd"(%c68, %c68) pure : (f32, f32) -> f32
  %fmul_rd_0_bits = arith.bitcast %fmul_rd_0 : f32 to i32
  %fmul_rd_0_ok = arith.cmpi eq, %fmul_rd_0_bits, %c15 : i32
  tile.assert %fmul_rd_0_ok, "__nv_fmul_rd ['1.0e-30', '1.0e-30'] is not 0.000000e+00" : i1
  %fmul_ru_0 = tile.extern_elementwise "__nv_fmul_ru"(%c68, %c68) pure : (f32, f32) -> f32
  %fmul_ru_0_bits = arith.bitcast %fmul_ru_0 : f32 to i32
  %fmul_ru_0_ok = arith.cmpi eq, %fmul_ru_0_bits, %c5 : i32
  tile.assert %fmul_ru_0_ok, "__nv_fmul_ru ['1.0e-30', '1.0e-30'] is not 1.401300e-45" : i1
  %c69 = arith.constant 1.0e-300 : f64
  %dmul_ru_0 = tile.extern_elementwise "__nv_dmul_ru"(%c69, %c69) pure : (f64, f64) -> f64
  %dmul_ru_0_bits = arith.bitcast %dmul_ru_0 : f64 to i64
  %dmul_ru_0_ok = arith.cmpi eq, %dmul_ru_0_bits, %c8 : i64
  tile.assert %dmul_ru_0_ok, "__nv_dmul_ru ['1.0e-300', '1.0e-300'] is not 4.9406564584124654e-324" : i1
  %c70 = arith.constant 1.5 : f32
  %c71 = arith.constant -149 : i32
  %ldexpf_0 = tile.extern_elementwise "__nv_ldexpf"(%c70, %c71) pure : (f32, i32) -> f32
  %ldexpf_0_bits = arith.bitcast %ldexpf_0 : f32 to i32
  %ldexpf_0_ok = arith.cmpi eq, %ldexpf_0_bits, %c28 : i32
  tile.assert %ldexpf_0_ok, "__nv_ldexpf ['1.5', -149] is not 2.802600e-45" : i1
  %c72 = arith.constant 128 : i32
  %scalbnf_0 = tile.extern_elementwise "__nv_scalbnf"(%c35, %c72) pure : (f32, i32) -> f32
  %scalbnf_0_bits = arith.bitcast %scalbnf_0 : f32 to i32
  %scalbnf_0_ok = arith.cmpi eq, %scalbnf_0_bits, %c67 : i32
  tile.assert %scalbnf_0_ok, "__nv_scalbnf ['1.0', 128] is not 0x7F800000" : i1
  %c73 = arith.constant 3.0 : f64
  %c74 = arith.constant 4622945017495814144 : i64
  %ldexp_0 = tile.extern_elementwise "__nv_ldexp"(%c73, %c28) pure : (f64, i32) -> f64
  %ldexp_0_bits = arith.bitcast %ldexp_0 : f64 to i64
  %ldexp_0_ok = arith.cmpi eq, %ldexp_0_bits, %c74 : i64
  tile.assert %ldexp_0_ok, "__nv_ldexp ['3.0', 2] is not 1.200000e+01" : i1
  %c75 = arith.constant 0.3 : f32
  %ilogbf_0 = tile.extern_elementwise "__nv_ilogbf"(%c75) pure : (f32) -> i32
  %ilogbf_0_ok = arith.cmpi eq, %ilogbf_0, %c32 : i32
  tile.assert %ilogbf_0_ok, "__nv_ilogbf ['0.3'] is not -2" : i1
  %c76 = arith.constant 0.0 : f32
  %ilogbf_1 = tile.extern_elementwise "__nv_ilogbf"(%c76) pure : (f32) -> i32
  %ilogbf_1_ok = arith.cmpi eq, %ilogbf_1, %c2 : i32
  tile.assert %ilogbf_1_ok, "__nv_ilogbf ['0.0'] is not -2147483648" : i1
  %c77 = arith.constant 1.0e-310 : f64
  %c78 = arith.constant -1030 : i32
  %ilogb_0 = tile.extern_elementwise "__nv_ilogb"(%c77) pure : (f64) -> i32
  %ilogb_0_ok = arith.cmpi eq, %ilogb_0, %c78 : i32
  tile.assert %ilogb_0_ok, "__nv_ilogb ['1.0e-310'] is not -1030" : i1
  %c79 = arith.constant 2.0 : f32
  %nextafterf_0 = tile.extern_elementwise "__nv_nextafterf"(%c35, %c79) pure : (f32, f32) -> f32
  %nextafterf_0_bits = arith.bitcast %nextafterf_0 : f32 to i32
  %nextafterf_0_ok = arith.cmpi eq, %nextafterf_0_bits, %c61 : i32
  tile.assert %nextafterf_0_ok, "__nv_nextafterf ['1.0', '2.0'] is not 0x3F800001" : i1
  %c80 = arith.constant 3.0 : f32
  %c81 = arith.constant 1073741824 : i32
  %fdimf_0 = tile.extern_elementwise "__nv_fdimf"(%c80, %c35) pure : (f32, f32) -> f32
  %fdimf_0_bits = arith.bitcast %fdimf_0 : f32 to i32
  %fdimf_0_ok = arith.cmpi eq, %fdimf_0_bits, %c81 : i32
  tile.assert %fdimf_0_ok, "__nv_fdimf ['3.0', '1.0'] is not 2.000000e+00" : i1
  %saturatef_0 = tile.extern_elementwise "__nv_saturatef"(%c41) pure : (f32) -> f32
  %saturatef_0_bits = arith.bitcast %saturatef_0 : f32 to i32
  %saturatef_0_ok = arith.cmpi eq, %saturatef_0_bits, %c15 : i32
  tile.assert %saturatef_0_ok, "__nv_saturatef ['0x7FC00000'] is not 0.000000e+00" : i1
  return
}
