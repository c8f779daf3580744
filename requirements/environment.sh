# Sourced by ./run and ./test (bash 3.2 and later): makes a virtual environment from lock files, once.
# `root` is the folder of the project.

# What Python compiles is kept, or every process compiles Django and the site again.
unset PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE
export PIP_DISABLE_PIP_VERSION_CHECK=1

say() { printf '%s / %s\n' "$1" "$2"; }

stop() {
    say "$1" "$2" >&2
    exit 1
}

# The first Python of the machine that is 3.11 or later and can make environments.
find_python() {
    local candidate found_old=
    for candidate in python3 python3.14 python3.13 python3.12 python3.11; do
        "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue
        if "$candidate" -c 'import venv, ensurepip' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
        found_old=$candidate
    done
    if [ -n "$found_old" ]; then
        stop "Il manque à $found_old le module venv : sudo apt install python3-venv" \
            "$found_old lacks the module venv: sudo apt install python3-venv"
    fi
    stop "Il faut Python 3.11 ou plus récent : sudo apt install python3 python3-venv (macOS : brew install python)" \
        "Python 3.11 or later is needed: sudo apt install python3 python3-venv (macOS: brew install python)"
}

# What an environment was made from: it is made anew when this changes.
stamp_of() {
    local venv=$1
    shift
    "$venv/bin/python" -c 'import sys; print(sys.version_info[:2], sys.prefix)' 2>/dev/null || return 0
    (cd "$root" && echo "$root" && cksum requirements/environment.sh "$@")
}

is_ready() {
    [ -s "$1/talleyrand.ready" ] && [ "$(stamp_of "$@")" = "$(cat "$1/talleyrand.ready")" ]
}

# An empty environment, in the place of one of ours that is out of date or was interrupted.
empty_environment() {
    local venv=$1 python
    python=$(find_python) || exit 1
    if [ -d "$venv" ] && [ ! -f "$venv/talleyrand.made" ] && [ -n "$(ls -A "$venv")" ]; then
        stop "Le dossier $venv n'a pas été fait par Talleyrand : supprimez-le ou donnez-en un autre." \
            "The folder $venv was not made by Talleyrand: remove it or name another."
    fi
    rm -rf "$venv"
    mkdir -p "$venv" || stop "Impossible d'écrire dans $venv." "Cannot write to $venv."
    touch "$venv/talleyrand.made"
    "$python" -m venv "$venv" >"$venv/install.log" 2>&1 || stop_with_log "$venv"
}

stop_with_log() {
    tail -n 15 "$1/install.log" >&2
    stop "L'installation a échoué (ci-dessus ; réseau coupé ?). Relancez la commande pour reprendre." \
        "The installation failed (see above; is the network down?). Run the command again to resume."
}

install_into() {
    local venv=$1
    shift
    "$venv/bin/python" -m pip install --quiet --no-compile "$@" >>"$venv/install.log" 2>&1 || stop_with_log "$venv"
}

# environment VENV LOCK...: the packages of the lock files, without the project itself. What comes as sources is
# built with the packages already there (build.txt): nothing is downloaded but what a lock file names.
environment() {
    local venv=$1 lock
    is_ready "$@" && return
    say "Installation dans $venv : une à deux minutes, la première fois seulement." \
        "Installing into $venv: a minute or two, the first time only."
    empty_environment "$venv"
    for lock in "${@:2}"; do
        case $lock in
            */peers*) install_into "$venv" --require-hashes --no-build-isolation --use-pep517 -r "$root/$lock" ;;
            *) install_into "$venv" --require-hashes --no-build-isolation -r "$root/$lock" ;;
        esac
    done
    stamp_of "$@" >"$venv/talleyrand.ready"
}

# project_environment VENV LOCK...: the same with the project, read from its own folder.
project_environment() {
    local venv=$1 project
    environment "$@"
    project=$(cd "$root" && cksum pyproject.toml)
    [ "$project" = "$(cat "$venv/talleyrand.project" 2>/dev/null)" ] && return
    install_into "$venv" --no-index --no-deps --no-build-isolation --editable "$root"
    printf '%s\n' "$project" >"$venv/talleyrand.project"
}
