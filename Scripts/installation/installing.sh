# What the scripts that install, uninstall and package share.
source Scripts/installation/layout.sh
source Scripts/installation/system.sh

# prepare PREFIX BINARY FOLDER [RUNNER…]: makes every file of the layout; the runner is a program that runs those of
# another architecture
prepare() {
    local prefix=$1 binary=$2 folder=$3 shell run
    run=("${@:4}" "$binary")
    mkdir -p "$folder"
    cp "$binary" "$folder/rigready"
    cp udev-rules/*.rules "$folder/"
    cp udev-rules/sysusers.d/rigready.conf "$folder/sysusers.conf"
    cp Sources/rigready/Schemas/*.schema.json "$folder/"
    for shell in bash zsh fish; do "${run[@]}" --generate-completion-script $shell >"$folder/rigready.$shell"; done
    # Completion scripts are not executable.
    sed -i '1{/^#!/d}' "$folder"/rigready.{bash,fish}
    "${run[@]}" --experimental-dump-help | Scripts/installation/manual >"$folder/rigready.1"
    gzip -9nf "$folder/rigready.1"
    sed "s:/usr/bin/rigready:$prefix/bin/rigready:g" Systemd/rigready.service >"$folder/rigready.service"
}

# check_prefix PREFIX: it must be valid in rules, units and lines of the layout
check_prefix() {
    [[ $1 =~ ^(/[A-Za-z0-9._+-]+)+$ ]] || die "--prefix takes an absolute path of plain names, such as /usr/local" 64
}

# may_write PATH: whether this user can create or replace it
may_write() {
    local place=$1
    while [ ! -e "$place" ]; do place=$(dirname "$place"); done
    if [ -d "$place" ]; then [ -w "$place" ]; else [ -w "$(dirname "$place")" ]; fi
}

# as_root_for PATH COMMAND…: runs it, through sudo if this user may not write the path
as_root_for() {
    local path=$1
    shift
    if may_write "$path"; then
        "$@"
    else
        command -v sudo >/dev/null || die "this user may not write $path, and there is no sudo: run it as root" 73
        sudo "$@"
    fi
}
