/* References.h - functions that the C library lacks, good to far below an ulp of f32. */
#ifndef TILE_TEST_MATH_REFERENCES_H
#define TILE_TEST_MATH_REFERENCES_H

double referenceRsqrt(double x);
double referenceRcbrt(double x);
double referenceSinPi(double x);
double referenceCosPi(double x);
double referenceErfcx(double x);
double referenceErfInv(double x);
double referenceErfcInv(double x);
double referenceNormCdf(double x);
double referenceNormCdfInv(double x);
double referenceRhypot(double x, double y);
double referenceLgamma(double x);
double referenceI0(double x);
double referenceI1(double x);
#endif
