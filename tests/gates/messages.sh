#!/usr/bin/env bash
# A message stands behind a place, as in "--seeds: error: ...". Where it begins with its verb, nobody knows of what it
# speaks: "is not above 0", "has 3 dimensions". So a message that is thrown with a place begins with something else.
# Usage: messages.sh ROOT
set -euo pipefail
cd "$1"
verbs='has|have|holds|is|are|was|were|arrives|asks|begins|breaks|cannot|contradicts|differs|does|ends|lacks|looks|may|must|names|needs|reads|says|stands|takes'

scripts/sources.sh '^(base|facts|models|runtime|decide|front)/.*\.(cpp|h)$' | { grep -vE '/(tests|fuzz)/' || true; } |
  xargs perl -0777 -ne '
    BEGIN { $verbs = shift @ARGV; $text = qr/"(?:[^"\\]|\\.)*"/; }
    $files++;
    # The place is anything but {}: those messages get their subject where they are caught.
    while (/\bInputError\(\s*((?:[^;"]|$text)*?),\s*(?:std::string\()?"($verbs)\b([^"]*)"/g) {
      my ($place, $message) = ($1, "$2$3");
      next if $place eq "{}" || $place eq "SourcePos{}" || $place =~ /"[^"]* [^"]*"/;
      my $line = 1 + (substr($_, 0, $-[0]) =~ tr/\n//);
      print "$ARGV:$line: what is meant? \"$message\"\n";
      $faults++;
    }
    END { print "$files files checked, ", $faults + 0, " faults\n"; exit($faults ? 1 : 0); }' "$verbs"
