#!/bin/sh
# Carries out a step of `sextant plan daemon --apply examples/daemon/apply.sh`: here it only notes it.
# On its input: one line of JSON. Exit code 0: done; to "look": 0 it had been done, 3 it had not.
read -r step
key=$(printf '%s' "$step" | sed 's/.*"key":"\([^"]*\)".*/\1/')
case $step in
*'"ask":"look"'*) grep -qxF "$key" steps-done 2>/dev/null && exit 0 || exit 3 ;;
esac
printf '%s\n' "$step" >> steps
printf '%s\n' "$key" >> steps-done
