# The files of an installation and their destinations. Read by install, uninstall and package.

# layout PREFIX: a line for each file: its mode, its name among the files that `prepare` makes, and its destination
layout() {
    local prefix=$1 zsh=$1/share/zsh/site-functions system=$1/lib
    case $prefix in
    /usr) zsh=/usr/share/zsh/vendor-completions ;;
    /usr/local) ;;
    # udev, sysusers and systemd read only /usr, /usr/local and /etc.
    *) system=/etc ;;
    esac
    cat <<LAYOUT
755 rigready $prefix/bin/rigready
644 70-rigready-iio.rules $system/udev/rules.d/70-rigready-iio.rules
644 70-rigready-gnss.rules $system/udev/rules.d/70-rigready-gnss.rules
644 70-rigready-evdev.rules $system/udev/rules.d/70-rigready-evdev.rules
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
    # Completion scripts are not executable.
    sed -i '1{/^#!/d}' "$folder"/rigready.{bash,fish}
    "$binary" --experimental-dump-help | Scripts/installation/manual >"$folder/rigready.1"
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

# give_back [SUDO]: makes the nodes that the rules gave to the group accessible only to root again
give_back() {
    local tagged node
    # udev does not reset a node that no rule matches any more; with this mode its access control list has no effect
    # either.
    for tagged in /run/udev/tags/rigready/c*; do
        node=/dev/char/${tagged##*/c}
        if [ -c "$node" ] && [ "$(stat -L -c %G "$node")" = iio ]; then
            "$@" chgrp root "$node"
            "$@" chmod 600 "$node"
            say "reset to root  $(realpath "$node")"
        fi
    done
}

# tell_system [users]: makes a running system reload rules, users and units; does nothing with DESTDIR
tell_system() {
    [ -z "${DESTDIR:-}" ] || return 0
    local root=()
    [ "$(id -u)" = 0 ] || root=(sudo)
    if [ "${1:-}" = users ] && command -v systemd-sysusers >/dev/null; then
        say "creating the group iio and the user rigready"
        "${root[@]}" systemd-sysusers rigready.conf || say "systemd-sysusers failed: as root, groupadd --system --force iio"
    fi
    if command -v udevadm >/dev/null && [ -S /run/udev/control ]; then
        say "reloading udev's rules"
        { "${root[@]}" udevadm control --reload &&
            "${root[@]}" udevadm trigger --action=change --subsystem-match=iio --subsystem-match=gnss --subsystem-match=tty &&
            "${root[@]}" udevadm trigger --action=change --subsystem-match=input --property-match=ID_INPUT_ACCELEROMETER=1 &&
            "${root[@]}" udevadm settle --timeout=10; } ||
            say "udev did not reload its rules: as root, udevadm control --reload && udevadm trigger --action=change"
        [ "${1:-}" = users ] || give_back "${root[@]}"
    else
        say "udev does not run here; it reads the rules when it starts"
    fi
    if [ -d /run/systemd/system ] && command -v systemctl >/dev/null; then
        "${root[@]}" systemctl daemon-reload || true
        # A running service would continue with the previous program.
        [ "${1:-}" != users ] || "${root[@]}" systemctl try-restart rigready.service ||
            say "the service was not restarted: as root, systemctl restart rigready"
    fi
}
