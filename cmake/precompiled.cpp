// A target needs a source: this one has the precompiled headers and nothing else.
