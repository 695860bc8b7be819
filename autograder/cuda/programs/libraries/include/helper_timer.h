// A stop watch, as NVIDIA's samples have it: times are in milliseconds.
#pragma once
#include <stdlib.h>

#include <chrono>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

class StopWatchInterface {
public:
    virtual ~StopWatchInterface() {}
    virtual void start() { began_ = now(), running_ = true; }
    virtual void stop() { total_ += now() - began_, runs_++, running_ = false; }
    virtual void reset() { total_ = 0, runs_ = 0, began_ = now(); }
    virtual float getTime() { return float(total_ + (running_ ? now() - began_ : 0)); }
    virtual float getAverageTime() { return runs_ ? float(total_ / runs_) : 0; }

private:
    double began_ = 0, total_ = 0;
    int runs_ = 0;
    bool running_ = false;

    static double now() {
        using namespace std::chrono;
        return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
    }
};
typedef StopWatchInterface StopWatchLinux;

inline bool sdkCreateTimer(StopWatchInterface** timer) { return *timer = new StopWatchInterface, true; }
inline bool sdkDeleteTimer(StopWatchInterface** timer) {
    delete *timer;
    *timer = nullptr;
    return true;
}
inline bool sdkStartTimer(StopWatchInterface** timer) {
    if (*timer) (*timer)->start();
    return true;
}
inline bool sdkStopTimer(StopWatchInterface** timer) {
    if (*timer) (*timer)->stop();
    return true;
}
inline bool sdkResetTimer(StopWatchInterface** timer) {
    if (*timer) (*timer)->reset();
    return true;
}
inline float sdkGetTimerValue(StopWatchInterface** timer) { return *timer ? (*timer)->getTime() : -1; }
inline float sdkGetAverageTimerValue(StopWatchInterface** timer) { return *timer ? (*timer)->getAverageTime() : 0; }
