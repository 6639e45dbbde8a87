namespace sextant {}
