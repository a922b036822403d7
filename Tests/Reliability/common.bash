# The code that the parts of Scripts/reliability share. Each is called as PART MOVIES SEED AMOUNT; MOVIES is the program.
set -Eeuo pipefail
part=$(basename "$0")
movies=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") seed=$2 amount=$3
# Bash derives its random numbers from the seed, so a run can be repeated, except for the timing of the machine.
RANDOM=$((seed % 32768))
checks=0 failures=0
# Messages go to descriptor 3, because Bash writes messages about killed children to 2.
exec 3>&2
# A command in a substitution may fail.
trap 'if [ "$BASH_SUBSHELL" = 0 ]; then printf "%s: stopped at line %s\n" "$part" "$LINENO" >&3; fi' ERR

work=$(mktemp -d "${TMPDIR:-/tmp}/reelux-$part.XXXXXX")
trap 'cleanup; rm -rf "$work"' EXIT
cd "$work"
cleanup() { :; }
export HOME=$work XDG_CONFIG_HOME=$work/config LC_ALL=C.UTF-8
unset XDG_DATA_HOME NO_COLOR

# Counts a check, and prints the text if the condition does not hold: check TEXT COMMAND...
check() {
  local text=$1
  shift
  checks=$((checks + 1))
  if "$@"; then return 0; fi
  failures=$((failures + 1))
  printf '%s: %s (seed %s)\n' "$part" "$text" "$seed" >&3
}

# Whether the exit code is one of the allowed codes: is CODE ALLOWED...
is() {
  local code=$1 allowed
  shift
  for allowed in "$@"; do if [ "$code" = "$allowed" ]; then return 0; fi; done
  return 1
}

skip() { printf '%s: skipped: %s\n' "$part" "$1"; }

finish() {
  trap - ERR
  printf '%s: %s; %d checks, %d failures, seed %s\n' "$part" "$1" "$checks" "$failures" "$seed"
  [ "$failures" -eq 0 ]
}
