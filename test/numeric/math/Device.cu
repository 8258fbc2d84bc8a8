// Device.cu - the same measurement on an NVIDIA GPU: every f32 input of a primitive, or of a compiled kernel
// kernel(x, z, n) or kernel(x, y, z, n), against CUDA's f64 functions.
//
//   nvcc -O2 -arch=sm_90 Device.cu -o device -lcuda
//   device primitives | device FUNCTION kernel.cubin
//
// Prints the largest error in ulp of f32 and where; special values that are of the wrong kind are counted.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

struct Result {
  unsigned long long worst; // ulp as float bits in the upper half, the index of the input in the lower
  unsigned long long worstNormal; // the same where the result is normal
  unsigned long long worstFar;    // absolute error as float bits where |x| >= 8
  unsigned long long wrong, firstWrong;
};

__device__ double ulpOf(double reference) {
  int exponent;
  frexp(reference, &exponent);
  return ldexp(1.0, max(exponent - 1, -126) - 23);
}

__device__ double errorOf(float got, double reference) {
  const double most = 3.4028234663852886e38, unit = ulpOf(most);
  if (isnan(reference) || isnan(got))
    return isnan(reference) && isnan(got) ? 0 : nan("");
  if (isinf(got)) {
    if (signbit(got) != signbit(reference) || fabs(reference) < most / 2)
      return nan("");
    return fabs(reference) >= most + unit / 2 ? 0 : (most + unit - fabs(reference)) / unit;
  }
  if (isinf(reference))
    return nan("");
  if (reference == 0)
    return got == 0 && signbit(got) == signbit(reference) ? 0 : nan("");
  if (got == 0 && signbit(got) != signbit(reference))
    return nan("");
  return fabs(got - reference) / (fabs(reference) >= most ? unit : ulpOf(reference));
}

__device__ void raise(unsigned long long *worst, double value, unsigned index) {
  unsigned long long key = (unsigned long long)__float_as_uint((float)value) << 32 | index;
  if (key > *worst)
    atomicMax(worst, key);
}

// near: the error of arguments from 8 on is absolute.
__device__ void note(Result *r, bool near, float x, float got, double reference, unsigned index) {
  double ulp = errorOf(got, reference);
  if (near && fabsf(x) >= 8 && isfinite(got) && isfinite(reference)) {
    raise(&r->worstFar, fabs(got - reference), index);
    return;
  }
  if (isnan(ulp)) {
    if (!atomicAdd(&r->wrong, 1ull))
      r->firstWrong = index;
    return;
  }
  raise(&r->worst, ulp, index);
  if (fabs(reference) >= 0x1p-126)
    raise(&r->worstNormal, ulp, index);
}

__host__ __device__ unsigned mix(unsigned i) {
  i *= 0x9e3779b1u;
  i ^= i >> 15;
  i *= 0x85ebca77u;
  i ^= i >> 13;
  return i * 0xc2b2ae35u ^ i >> 16;
}

enum Function {
#define F(name) Fn_##name,
#include "DeviceFunctions.inc"
#undef F
  Fn_count
};
static const char *const names[] = {
#define F(name) #name,
#include "DeviceFunctions.inc"
#undef F
};


// Correct to a few units of the last place of f64, which is nothing in f32.
__device__ double referenceOf(int f, double x, double y) {
  switch (f) {
  case Fn_exp: return exp(x);
  case Fn_exp2: return exp2(x);
  case Fn_exp10: return exp10(x);
  case Fn_expm1: return expm1(x);
  case Fn_log: return log(x);
  case Fn_log2: return log2(x);
  case Fn_log10: return log10(x);
  case Fn_log1p: return log1p(x);
  case Fn_sin: return sin(x);
  case Fn_cos: return cos(x);
  case Fn_tan: return tan(x);
  case Fn_sinpi: return sinpi(x);
  case Fn_cospi: return cospi(x);
  case Fn_asin: return asin(x);
  case Fn_acos: return acos(x);
  case Fn_atan: return atan(x);
  case Fn_sinh: return sinh(x);
  case Fn_cosh: return cosh(x);
  case Fn_tanh: return tanh(x);
  case Fn_asinh: return asinh(x);
  case Fn_acosh: return acosh(x);
  case Fn_atanh: return atanh(x);
  case Fn_erf: return erf(x);
  case Fn_erfc: return erfc(x);
  case Fn_erfcx: return erfcx(x);
  case Fn_erfinv: return erfinv(x);
  case Fn_erfcinv: return erfcinv(x);
  case Fn_normcdf: return normcdf(x);
  case Fn_normcdfinv: return normcdfinv(x);
  case Fn_lgamma: return lgamma(x);
  case Fn_tgamma: return tgamma(x);
  case Fn_j0: return j0(x);
  case Fn_j1: return j1(x);
  case Fn_y0: return y0(x);
  case Fn_y1: return y1(x);
  case Fn_cyl_bessel_i0: return cyl_bessel_i0(x);
  case Fn_cyl_bessel_i1: return cyl_bessel_i1(x);
  case Fn_sqrt: return sqrt(x);
  case Fn_rsqrt: return 1 / sqrt(x);
  case Fn_absf: return fabs(x);
  case Fn_rcp: return 1 / x;
  case Fn_cbrt: return cbrt(x);
  case Fn_rcbrt: return rcbrt(x);
  case Fn_round: return round(x);
  case Fn_logb: return logb(x);
  case Fn_pow: return pow(x, y);
  case Fn_atan2: return atan2(x, y);
  case Fn_fmod: return fmod(x, y);
  case Fn_remainder: return remainder(x, y);
  case Fn_hypot: return hypot(x, y);
  case Fn_rhypot: return rhypot(x, y);
  case Fn_fdim: return fdim(x, y);
  case Fn_div: return x / y;
  case Fn_nextafter: return nextafterf((float)x, (float)y);
  case Fn_norm3d: return norm3d(x, y, y);
  case Fn_norm4d: return norm4d(x, y, x, y);
  case Fn_rnorm3d: return rnorm3d(x, y, y);
  case Fn_rnorm4d: return rnorm4d(x, y, x, y);
  }
  return nan("");
}

// Instructions, asked for by number.
template <int P> __device__ float primitive(float x, float y) {
  float r;
  if (P == 0)
    asm("ex2.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
  if (P == 1)
    asm("lg2.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
  if (P == 2)
    asm("rsqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
  if (P == 3)
    asm("sqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
  if (P == 4)
    asm("rcp.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
  if (P == 5)
    asm("div.full.f32 %0, %1, %2;" : "=f"(r) : "f"(x), "f"(y));
  if (P == 6)
    asm("div.approx.f32 %0, %1, %2;" : "=f"(r) : "f"(x), "f"(y));
  return r;
}

// Second arguments: every kind of float, every second one of moderate size.
__device__ float second(unsigned i) {
  unsigned bits = mix(i + 77);
  return bits & 1 ? __uint_as_float(bits) : (float)(int)bits * 0x1p-25f;
}

template <int P> __global__ void runPrimitive(int f, Result *r, double *relative) {
  double most = 0;
  for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < 1ull << 32;
       i += (unsigned long long)gridDim.x * blockDim.x) {
    float x = __uint_as_float((unsigned)i), y = second((unsigned)i), got = primitive<P>(x, y);
    double reference = referenceOf(f, x, y);
    note(r, false, x, got, reference, (unsigned)i);
    double by = fabs(got / reference - 1);
    if (fabs(reference) > 0x1p-125 && fabs(reference) < 0x1p127 && by > most && by < 1)
      most = by;
  }
  atomicMax((unsigned long long *)relative, (unsigned long long)__double_as_longlong(most));
}

__global__ void fill(float *x, float *y, unsigned long long start, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] = __uint_as_float((unsigned)(start + i));
    y[i] = second((unsigned)(start + i));
  }
}

// Arguments as programs have them: within +-64.
__global__ void fillUsual(float *x, float *y, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] = (float)(int)mix(i) * 0x1p-25f;
    y[i] = (float)(int)mix(i + 77) * 0x1p-25f;
  }
}

__global__ void compare(int f, const float *x, const float *y, const float *z, unsigned long long start,
                        unsigned n, Result *r) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    note(r, f >= Fn_j0 && f <= Fn_y1, x[i], z[i], referenceOf(f, x[i], y[i]), (unsigned)(start + i));
}

__global__ void describe(int f, unsigned index, float *out) {
  out[0] = __uint_as_float(index);
  out[1] = second(index);
  out[2] = (float)referenceOf(f, out[0], out[1]);
}

static float upper(unsigned long long key) {
  uint32_t bits = (uint32_t)(key >> 32);
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

static void show(const char *name, int f, const Result *r) {
  float *out, worst[3], wrong[3];
  float ulp = upper(r->worst);
  cudaMallocManaged(&out, 12);
  describe<<<1, 1>>>(f, (unsigned)r->worst, out);
  cudaDeviceSynchronize();
  memcpy(worst, out, 12);
  describe<<<1, 1>>>(f, (unsigned)r->firstWrong, out);
  cudaDeviceSynchronize();
  memcpy(wrong, out, 12);
  printf("%-14s %10.4f ulp at %a, %a -> %a", name, ulp, worst[0], worst[1], worst[2]);
  printf("; of normal results %.4f", upper(r->worstNormal));
  if (r->worstFar)
    printf("; from 8 on %g absolute", upper(r->worstFar));
  if (r->wrong)
    printf("   %llu wrong, first %a, %a -> %a", r->wrong, wrong[0], wrong[1], wrong[2]);
  printf("\n");
  fflush(stdout);
  cudaFree(out);
}

template <int P> static void measurePrimitive(const char *name, int f) {
  Result *r;
  double *relative;
  cudaMallocManaged(&r, sizeof *r);
  cudaMallocManaged(&relative, 8);
  memset(r, 0, sizeof *r);
  *relative = 0;
  runPrimitive<P><<<132 * 16, 256>>>(f, r, relative);
  cudaDeviceSynchronize();
  printf("relative error of normal results %a; ", *relative);
  show(name, f, r);
}

static int functionNamed(const char *name) {
  for (int i = 0; i < Fn_count; ++i)
    if (!strcmp(names[i], name))
      return i;
  return -1;
}

#define CHECK(call)                                                                                          \
  do {                                                                                                       \
    CUresult status = (call);                                                                                \
    if (status) {                                                                                            \
      printf("%s: error %d\n", #call, (int)status);                                                          \
      return 1;                                                                                              \
    }                                                                                                        \
  } while (0)

static int measureKernel(int f, bool binary, const char *path, const char *kernelName) {
  const unsigned n = 1u << 26;
  CUmodule module;
  CUfunction kernel;
  CHECK(cuModuleLoad(&module, path));
  CHECK(cuModuleGetFunction(&kernel, module, kernelName));
  float *x, *y, *z;
  Result *r;
  cudaMalloc(&x, n * 4ull), cudaMalloc(&y, n * 4ull), cudaMalloc(&z, n * 4ull);
  cudaMallocManaged(&r, sizeof *r);
  memset(r, 0, sizeof *r);
  int count = (int)n;
  void *unary[] = {&x, &z, &count}, *two[] = {&x, &y, &z, &count};
  float best = 1e9f, usual = 1e9f; // every bit pattern; usual arguments
  cudaEvent_t before, after;
  cudaEventCreate(&before), cudaEventCreate(&after);
  fillUsual<<<n / 256, 256>>>(x, y, n);
  for (int i = 0; i < 5; ++i) {
    cudaEventRecord(before);
    CHECK(cuLaunchKernel(kernel, n / 1024, 1, 1, 128, 1, 1, 0, 0, binary ? two : unary, 0));
    cudaEventRecord(after);
    cudaEventSynchronize(after);
    float ms;
    cudaEventElapsedTime(&ms, before, after);
    usual = ms < usual ? ms : usual;
  }
  for (unsigned long long start = 0; start < 1ull << 32; start += n) {
    fill<<<n / 256, 256>>>(x, y, start, n);
    cudaEventRecord(before);
    CHECK(cuLaunchKernel(kernel, n / 1024, 1, 1, 128, 1, 1, 0, 0, binary ? two : unary, 0));
    cudaEventRecord(after);
    cudaEventSynchronize(after);
    float ms;
    cudaEventElapsedTime(&ms, before, after);
    best = ms < best ? ms : best;
    compare<<<n / 256, 256>>>(f, x, y, z, start, n, r);
  }
  cudaDeviceSynchronize();
  printf("%6.3f ms, usual arguments %6.3f ms (%5.0f GB/s)  ", best, usual, n * (binary ? 12.0 : 8.0) / usual * 1e-6);
  show(names[f], f, r);
  cudaFree(x), cudaFree(y), cudaFree(z), cudaFree(r);
  cuModuleUnload(module);
  return 0;
}

int main(int argc, char **argv) {
  cudaFree(0);
  if (argc == 2 && !strcmp(argv[1], "primitives")) {
    measurePrimitive<0>("ex2", Fn_exp2);
    measurePrimitive<1>("lg2", Fn_log2);
    measurePrimitive<2>("rsqrt", Fn_rsqrt);
    measurePrimitive<3>("sqrt", Fn_sqrt);
    measurePrimitive<4>("rcp", Fn_rcp);
    measurePrimitive<5>("div.full", Fn_div);
    measurePrimitive<6>("div.approx", Fn_div);
    return 0;
  }
  int status = 0;
  for (int i = 1; i + 1 < argc; i += 2) {
    int f = functionNamed(argv[i]);
    if (f < 0) {
      printf("no function %s\n", argv[i]);
      return 2;
    }
    status |= measureKernel(f, f >= Fn_pow, argv[i + 1], "kernel");
  }
  return status;
}
