# Shared by the scripts: enters the package's folder, and installs missing Debian packages.
set -euo pipefail
# Relative paths in arguments are relative to the caller's folder.
caller=$PWD
from_caller() { case "$1" in /* | '') printf '%s\n' "$1" ;; *) printf '%s\n' "$caller/$1" ;; esac; }
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '%s\n' "$*" >&2; }
die() {
    say "$(basename "$0"): $1"
    exit "${2:-70}"
}

# The drivers of every build, and the server of the board.
web_traits=IIO,Evdev,Bluetooth,GPSD,Web

# The packages for the build, and those for the tests.
build_packages=(
    libudev-dev libbluetooth-dev libyaml-dev zlib1g-dev pkg-config
    # Their headers alone: the libraries are opened at first use.
    libiio-dev libkmod-dev libmosquitto-dev libqrencode-dev libsystemd-dev libzstd-dev
)
run_packages=(libiio0 libmosquitto1)
test_packages=(
    umockdev libumockdev-dev gpsd gpsd-clients socat iiod libiio-utils kmod strace valgrind systemd dbus-daemon python3-dbus
    python3-gi time
    # For the recipes in Examples and the consumers of JUnit and TAP.
    libxml2-utils perl python3 python3-yaml python3-jsonschema python3-tap python3-more-itertools python3-pytest
    # The pages in a browser, and the board in a terminal.
    chromium fonts-dejavu-core tmux python3-pip
    # The brokers of a fleet, and their certificates.
    mosquitto nats-server openssl
    # What reads the metrics, and what follows a fleet.
    prometheus prometheus-node-exporter mosquitto-clients python3-venv
    # To build and check the package.
    dpkg-dev binutils lintian man-db zsh fish busybox-static gcc libc6-dev debian-archive-keyring
)

# install_packages PACKAGE…: installs those that are missing, as root or through sudo.
install_packages() {
    local missing=() package
    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    local as_root=()
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || die "missing Debian packages; as root: apt-get install ${missing[*]}" 69
        as_root=(sudo)
    fi
    say "Installing ${missing[*]}"
    # Package lists that are missing or old are fetched once.
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}" >/dev/null 2>&1 || {
        "${as_root[@]}" apt-get update -q >/dev/null || die "apt-get update failed" 69
        DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}" >/dev/null ||
            die "cannot install ${missing[*]}" 69
    }
}

# The rules of accessibility that the tests hold the pages to. Without a network those tests are left out.
fetch_axe() {
    local folder=.build/axe
    [ ! -f "$folder/axe.min.js" ] || return 0
    say "Fetching axe-core"
    mkdir -p "$folder"
    python3 -m pip download -q --disable-pip-version-check --no-deps --require-hashes -d "$folder" -r Scripts/axe.txt &&
        python3 -m zipfile -e "$folder"/axe_core_python-*.whl "$folder" &&
        mv "$folder/axe_core_python/axe.min.js" "$folder/axe.min.js" || say "axe-core cannot be fetched; its test is left out"
}

# fetch_newer_gpsd: Debian 13's with its libraries, unpacked into .build/gpsd: Debian 12's knows no inertial units in
# receivers. Its test is cancelled without it, and says so.
fetch_newer_gpsd() {
    [ ! -x .build/gpsd/usr/sbin/gpsd ] && [ "$(dpkg --print-architecture)" = amd64 ] || return 0
    say "Fetching Debian 13's gpsd"
    rm -rf .build/gpsd
    (
        source Scripts/debian/packages.sh
        files=$(debian_download trixie amd64 gpsd) && mapfile -t files <<<"$files" && debian_unpack .build/gpsd "${files[@]}"
    ) || say "Debian 13's gpsd cannot be fetched: its test is left out of this run, and reported as cancelled"
}

# install_from_pypi NAME PROGRAM REQUIREMENT…: what Debian does not have, in an environment of its own, .build/NAME. Its
# tests are cancelled without it, and say so.
install_from_pypi() {
    local name=$1 program=$2
    shift 2
    [ ! -x ".build/$name/bin/$program" ] || return 0
    say "Installing $name from PyPI"
    mkdir -p .build
    python3 -m venv ".build/$name" && ".build/$name/bin/pip" install -q --disable-pip-version-check "$@" >/dev/null || {
        rm -rf ".build/$name"
        say "$name cannot be installed from PyPI: its tests are left out of this run, and reported as cancelled"
    }
}

need_swift() {
    command -v swift >/dev/null || die "needs a Swift 6.2 toolchain or newer on the PATH: https://www.swift.org/install/linux"
}

# release_flags LIBSTDC++.A FOLDER: sets `flags` to those of a release build: the Swift and C++ standard libraries are inside,
# since rigs have neither the one nor always the other; the latter is taken from that file, by a link in that folder.
release_flags() {
    local cxx=$1 folder=$2
    # No library is taken from the program's own folder, which others may be able to write to; and every symbol is bound at the start, so
    # that the table can be read-only. Nothing loads the program as a library: what it does not call is left out, and with it calls of a
    # C library that is newer than that of the rigs, which the toolchain's usual linker would still name.
    flags=(--static-swift-stdlib --disable-local-rpath -Xlinker -z -Xlinker now -Xlinker --no-export-dynamic -Xswiftc -use-ld=lld)
    [ -f "$cxx" ] || return 0
    # A folder that contains only the static library, so that the linker cannot prefer another.
    mkdir -p "$folder"
    ln -sf "$(realpath "$cxx")" "$folder/libstdc++.a"
    flags+=(-Xlinker "-L$PWD/$folder")
}

# Builds the program $product, else rigready, for this machine.
build_release() {
    need_swift
    local flags
    release_flags "$(gcc -print-file-name=libstdc++.a 2>/dev/null || true)" .build/static
    swift build -c release --product "${product:-rigready}" "${flags[@]}" "$@"
}

# build_example NAME: a package of Examples, in .build/examples/NAME. SwiftPM compiles all of this package again with other traits, and with
# any other environment, so that each has a folder, and the same few variables in a script as in a test; what is fetched may need the
# others. The standard library is inside, since some programs run in a machine without it. Nothing is left to do for one that the same run
# has built: to find that out takes SwiftPM a quarter of a minute.
build_example() {
    [[ " ${RIGREADY_BUILT_EXAMPLES:-} " != *" $1 "* ]] || return 0
    need_swift
    local words=(--package-path "Examples/$1" --scratch-path ".build/examples/$1") plan=.build/examples/$1/debug.yaml
    # SwiftPM looks for new files in the package that it builds, not in one that this depends on by its path.
    [ ! -e "$plan" ] || [ -z "$(find Sources Drivers -type d -newer "$plan")" ] || rm "$plan"
    swift package "${words[@]}" resolve
    env -i PATH="$PATH" HOME="${HOME:-/}" swift build "${words[@]}" --static-swift-stdlib
}
# build_examples: those that the tests run; RIGREADY_BUILT_EXAMPLES tells the tests which could be built
build_examples() {
    local example built=
    unset RIGREADY_BUILT_EXAMPLES
    for example in library driver phone-app; do
        if build_example "$example"; then built+=" $example"; fi
    done
    export RIGREADY_BUILT_EXAMPLES=$built
}
