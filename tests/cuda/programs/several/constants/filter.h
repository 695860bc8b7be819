#ifndef FILTER_H
#define FILTER_H
#ifdef __cplusplus
extern "C" {
#endif
struct filter {
    int taps;
    float weight[5];
};
int filter_set(const struct filter* f);
int filter_run(float* values, int n);
#ifdef __cplusplus
}
#endif
#endif
