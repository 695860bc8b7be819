// prints: 0.841471 8 0.5 1.25 24 2.99573 (0,2) (2,0)
#include <cmath>
#include <complex>
#include <cstdio>

int main(int count, char**) {
    double one = count;  // not known to the compiler
    std::complex<float> i(0, one), both = (i + 1.0f) * (i + 1.0f), quotient = both / i;
    printf("%g %g %g ", std::sin(one), std::pow(2 * one, 3), std::fma(one, 2, -1.5));
    printf("%g %g %g ", std::fmod(5.25 * one, 2), std::tgamma(5 * one), std::log(20 * one));
    printf("(%g,%g) (%g,%g)\n", both.real(), both.imag(), quotient.real(), quotient.imag());
}
