// sextant-worker FOLDER: one process of a trial. Started by `sextant measure`, not by people.
#include <cstdio>

int main() {
  return 2;
}
