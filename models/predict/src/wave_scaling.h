// Wave scaling of Habitat (Yu, Gao, Golikov, Pekhimenko, ATC 2021): the time of a kernel on one GPU from
// its time on another that runs the same code. Thread blocks run in waves; a wave is limited by memory to
// the degree gamma, and by clock to the rest. Formulas and their range: docs/models/wave-scaling.md.
#pragma once

#include "sextant/catalog/gpu.h"

namespace sextant::predict {

// One end of the scaling.
struct WaveDevice {
  double multiprocessors = 0;
  double bandwidth = 0;  // any unit, the same at both ends
  double clock = 0;      // likewise
  double peak = 0;       // operations per second; with bandwidth it gives the ridge point
};

// How far a kernel is bound by memory: 1 without arithmetic, 0 without traffic, 1/2 at the ridge point.
// `intensity` and `ridge` in operations per byte.
double memory_share(double intensity, double ridge);

// T_destination / T_origin with many waves, where their number is nearly proportional to the work.
double many_wave_ratio(const WaveDevice& origin, const WaveDevice& destination, double gamma);

struct WaveGrid {
  double blocks = 0;
  double resident = 1;  // blocks on a multiprocessor at once
};

// The same with whole waves.
double full_wave_ratio(const WaveDevice& origin, const WaveDevice& destination, double gamma,
                       const WaveGrid& grid);

// Where the catalogue lacks multiprocessors or clock, only their product counts, which is taken from the
// peak rate instead.
WaveDevice wave_device(const catalog::Gpu& gpu);
// Makes both ends comparable: if one lacks multiprocessors or clock, both use the peak rate.
void align(WaveDevice& origin, WaveDevice& destination);

}  // namespace sextant::predict
