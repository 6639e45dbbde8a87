#!/bin/sh
# Stands for a training run: seconds of an epoch by batch and workers, as a program would print them.
awk -v batch="$1" -v workers="$2" 'BEGIN {
  if (batch * workers > 768) { print "out of memory"; exit 1 }
  print "epoch_s: " 100 / workers + 4 * workers + 6400 / batch / workers
}'
