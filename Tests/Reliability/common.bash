# What the parts of Scripts/reliability share. Each is called: PART MOVIES SEED AMOUNT, with MOVIES the built program.
set -Eeuo pipefail
part=$(basename "$0")
movies=$1 seed=$2 amount=$3
# Bash numbers its random numbers from the seed, so that a run can be repeated. What a machine does meanwhile, it cannot.
RANDOM=$((seed % 32768))
checks=0 failures=0
# Messages go to 3, because bash itself writes to 2 that a child was killed.
exec 3>&2
trap 'printf "%s: stopped at line %s\n" "$part" "$LINENO" >&3' ERR

work=$(mktemp -d "${TMPDIR:-/tmp}/reelux-$part.XXXXXX")
trap 'cleanup; rm -rf "$work"' EXIT
cleanup() { :; }
export HOME=$work XDG_CONFIG_HOME=$work/config LANG=C.UTF-8
unset XDG_DATA_HOME NO_COLOR

# Counts a check; says what is wrong if the condition does not hold: check TEXT COMMAND...
check() {
  local text=$1
  shift
  checks=$((checks + 1))
  if "$@"; then return 0; fi
  failures=$((failures + 1))
  printf '%s: %s (seed %s)\n' "$part" "$text" "$seed" >&3
}

# Whether the last command ended with one of these codes, which is put before them: is CODE ALLOWED...
is() {
  local code=$1 allowed
  shift
  for allowed in "$@"; do if [ "$code" = "$allowed" ]; then return 0; fi; done
  return 1
}

skip() { printf '%s: skipped: %s\n' "$part" "$1"; }

finish() {
  printf '%s: %s; %d checks, %d failures, seed %s\n' "$part" "$1" "$checks" "$failures" "$seed"
  [ "$failures" -eq 0 ]
}
