/* BesselTables.h - polynomials for Bessel.c, for f32 and f64 (test/numeric/math/coefficients.py). */
#ifndef TILE_LIB_TILEGPU_BESSELTABLES_H
#define TILE_LIB_TILEGPU_BESSELTABLES_H

enum { BESSEL_MAX_TERMS = 24, BESSEL_MAX_WAVE = 12 };

/// (x - zero) * polynomial(x - zero), or (x^2 - zero^2) * polynomial(x^2); the zero as a sum of two floats.
typedef struct BesselPiece {
  double zero, zeroLow;
  int terms;
  double c[BESSEL_MAX_TERMS];
} BesselPiece;

/// Amplitude and phase of one order in 1 / x^2, for x >= 8.
typedef struct BesselWave {
  int terms;
  double amplitude[BESSEL_MAX_WAVE], phase[BESSEL_MAX_WAVE];
} BesselWave;

/// Each for f32, then for f64. The name says which zero is near.
extern const BesselPiece besselJ0Near0[2], besselJ0Near6[2], besselJ1Near4[2], besselJ1Near7[2],
    besselY0Near1[2], besselY0Near4[2], besselY0Near7[2], besselY1Near2[2], besselY1Near5[2];
/// For f64 alone.
extern const BesselPiece besselWideY1Near9;
/// J1 / x in x^2, for x <= 3.75: `terms` of them.
extern const BesselPiece besselJ1Near0[2];
/// By order.
extern const BesselWave besselWaves[2][2];

#endif
