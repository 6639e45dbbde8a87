# One step of a search with 200 trials and 5,200 candidates: scikit-learn's Gaussian process, fitted as its
# users do, and this program's, in turn on one core. Prints milliseconds and the ratio.
# Usage: taskset -c 0 /usr/bin/python3 scripts/search_compare.py build/bench/sextant_bench
import json
import os
import subprocess
import sys
import time

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy
from scipy.stats import norm
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

TRIALS, CANDIDATES, FEATURES, ROUNDS = 200, 5200, 5, 5


def sklearn_step(rng):
    at = rng.random((CANDIDATES, FEATURES))
    x = at[:TRIALS]
    y = numpy.cos(5 * x[:, 0]) + 0.2 * numpy.abs(x[:, 1] + x[:, 2] - 0.8) + 0.1 * x[:, 3]
    start = time.perf_counter()
    kernel = ConstantKernel() * Matern(numpy.full(FEATURES, 0.5), nu=2.5) + WhiteKernel(1e-3)
    process = GaussianProcessRegressor(kernel, normalize_y=True).fit(x, y)
    mean, sd = process.predict(at, return_std=True)
    z = (y.min() - mean) / sd
    numpy.argmax((y.min() - mean) * norm.cdf(z) + sd * norm.pdf(z))
    return 1e3 * (time.perf_counter() - start)


def our_step(bench):
    text = subprocess.run(
        [bench, "--benchmark_filter=search_step_against_one_process/200", "--benchmark_format=json"],
        check=True, capture_output=True, text=True).stdout
    return json.loads(text)["benchmarks"][0]["real_time"]


rng = numpy.random.default_rng(1)
theirs, ours = [], []
for _ in range(ROUNDS):
    theirs.append(sklearn_step(rng))
    ours.append(our_step(sys.argv[1]))
theirs, ours = numpy.median(theirs), numpy.median(ours)
print(f"scikit-learn {theirs:.0f} ms, sextant {ours:.0f} ms, ratio {ours / theirs:.3f}")
