/* SpecialFunctions.h - functions of libdevice that the C library lacks, in f64; private to lib/Interpreter. */
#ifndef TILE_LIB_INTERPRETER_SPECIALFUNCTIONS_H
#define TILE_LIB_INTERPRETER_SPECIALFUNCTIONS_H

double interpSinPi(double x);
double interpCosPi(double x);
double interpRcbrt(double x);
double interpRhypot(double x, double y);
double interpErfcx(double x);
double interpErfInv(double x);
double interpErfcInv(double x);
double interpNormCdf(double x);
double interpNormCdfInv(double x);
double interpBesselI0(double x);
double interpBesselI1(double x);

#endif
