# What an installation is made of, and where each part goes. Read by install, uninstall and package.

# layout PREFIX: a line for each file: its mode, its name among what `prepare` makes, and its place
layout() {
    local prefix=$1 zsh=$1/share/zsh/site-functions system=$1/lib
    case $prefix in
    /usr) zsh=/usr/share/zsh/vendor-completions ;;
    /usr/local) ;;
    # udev, sysusers and systemd look in /usr, /usr/local and /etc alone.
    *) system=/etc ;;
    esac
    cat <<LAYOUT
755 rigready $prefix/bin/rigready
644 70-rigready-iio.rules $system/udev/rules.d/70-rigready-iio.rules
644 70-rigready-gnss.rules $system/udev/rules.d/70-rigready-gnss.rules
644 sysusers.conf $system/sysusers.d/rigready.conf
644 rigready.bash $prefix/share/bash-completion/completions/rigready
644 rigready.zsh $zsh/_rigready
644 rigready.fish $prefix/share/fish/vendor_completions.d/rigready.fish
644 rigready.1.gz $prefix/share/man/man1/rigready.1.gz
644 rigready.service $system/systemd/system/rigready.service
LAYOUT
}

# prepare PREFIX BINARY FOLDER: makes every file of the layout
prepare() {
    local prefix=$1 binary=$2 folder=$3 shell
    mkdir -p "$folder"
    cp "$binary" "$folder/rigready"
    cp udev-rules/*.rules "$folder/"
    cp udev-rules/sysusers.d/rigready.conf "$folder/sysusers.conf"
    for shell in bash zsh fish; do "$binary" --generate-completion-script $shell >"$folder/rigready.$shell"; done
    # What a shell reads is no program.
    sed -i '1{/^#!/d}' "$folder"/rigready.{bash,fish}
    "$binary" --experimental-dump-help | Scripts/installation/manual >"$folder/rigready.1"
    gzip -9nf "$folder/rigready.1"
    sed "s:/usr/bin/rigready:$prefix/bin/rigready:g" Systemd/rigready.service >"$folder/rigready.service"
}

# check_prefix PREFIX: it must be able to stand in rules, units and lines of the layout
check_prefix() {
    [[ $1 =~ ^(/[A-Za-z0-9._+-]+)+$ ]] || die "--prefix takes an absolute path of plain names, such as /usr/local" 64
}

# may_write PATH: whether this user can make or replace it
may_write() {
    local place=$1
    while [ ! -e "$place" ]; do place=$(dirname "$place"); done
    if [ -d "$place" ]; then [ -w "$place" ]; else [ -w "$(dirname "$place")" ]; fi
}

# as_root_for PATH COMMAND…: runs it, through sudo where the path is not this user's to write
as_root_for() {
    local path=$1
    shift
    if may_write "$path"; then
        "$@"
    else
        command -v sudo >/dev/null || die "$path is not this user's to write, and there is no sudo: run it as root" 73
        sudo "$@"
    fi
}

# give_back [SUDO]: makes the nodes root's alone that the rules gave to the group
give_back() {
    local tagged node
    # udev leaves a node as it was when no rule speaks of it any more; with this mode no list of access counts either.
    for tagged in /run/udev/tags/rigready/c*; do
        node=/dev/char/${tagged##*/c}
        if [ -c "$node" ] && [ "$(stat -L -c %G "$node")" = iio ]; then
            "$@" chgrp root "$node"
            "$@" chmod 600 "$node"
            say "root's again  $(realpath "$node")"
        fi
    done
}

# tell_system [users]: lets a running system know of rules, users and units that came or went; does nothing for a DESTDIR
tell_system() {
    [ -z "${DESTDIR:-}" ] || return 0
    local root=()
    [ "$(id -u)" = 0 ] || root=(sudo)
    if [ "${1:-}" = users ] && command -v systemd-sysusers >/dev/null; then
        say "making the group iio and the user rigready"
        "${root[@]}" systemd-sysusers rigready.conf || say "systemd-sysusers failed: as root, groupadd --system --force iio"
    fi
    if command -v udevadm >/dev/null && [ -S /run/udev/control ]; then
        say "telling udev"
        { "${root[@]}" udevadm control --reload &&
            "${root[@]}" udevadm trigger --action=change --subsystem-match=iio --subsystem-match=gnss --subsystem-match=tty &&
            "${root[@]}" udevadm settle --timeout=10; } ||
            say "udev was not told: as root, udevadm control --reload && udevadm trigger --action=change"
        [ "${1:-}" = users ] || give_back "${root[@]}"
    else
        say "no udev runs here; it reads the rules when it starts"
    fi
    if [ -d /run/systemd/system ] && command -v systemctl >/dev/null; then
        "${root[@]}" systemctl daemon-reload || true
        # One that runs would go on with the program that was there before.
        [ "${1:-}" != users ] || "${root[@]}" systemctl try-restart rigready.service ||
            say "the service was not restarted: as root, systemctl restart rigready"
    fi
}
